#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs `refused.py N COMMAND...` and shows its standard error, if the command refuses well: exit 2,
N lines on standard error that start with the program's name, nothing on standard output, and no new
file in the working folder."""

import os
import subprocess
import sys

wanted, command = int(sys.argv[1]), sys.argv[2:]
before = sorted(os.listdir("."))
done = subprocess.run(command, capture_output=True, timeout=120, check=False)
said = done.stderr.decode("utf-8", "backslashreplace")
faults = []
if done.returncode != 2:
    faults.append(f"exit {done.returncode}")
if done.stdout:
    faults.append(f"{len(done.stdout)} bytes on standard output")
if len(said.splitlines()) != wanted or not said.startswith("ptxlab: ") or not said.endswith("\n"):
    faults.append(f"not {wanted} lines of ptxlab")
if sorted(os.listdir(".")) != before:
    faults.append("the working folder has changed")
sys.stdout.write(said)
if faults:
    sys.exit(f"refused: {', '.join(faults)}: {' '.join(command)}")
