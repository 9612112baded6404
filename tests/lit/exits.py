#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command for a RUN line: `%exits 2 %ptxlab ...` succeeds if the command exits with just 2."""

import subprocess
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
status = subprocess.run(command, check=False).returncode
if status != wanted:
    sys.exit(f"exits: expected {wanted}, got {status}: {' '.join(command)}")
