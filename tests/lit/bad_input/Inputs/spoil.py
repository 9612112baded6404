#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`spoil.py CUBIN PTXLAB`: spoils the ELF header of a cubin, one byte at a time, and inspects the
result. It may be refused or not, but only with exit 0 or 2, and never with more than a few lines."""

import subprocess
import sys

path, program = sys.argv[1:3]
with open(path, "rb") as file:
    good = file.read()
refused = 0
for at in range(16, 64, 3):  # behind the identification, which `files.test` spoils
    with open("spoilt.cubin", "wb") as file:
        file.write(good[:at] + bytes([good[at] ^ 0x5A]) + good[at + 1:])
    done = subprocess.run([program, "inspect", "--no-cache", "--summary", "spoilt.cubin"],
                          capture_output=True, timeout=120, check=False)
    if done.returncode not in (0, 2) or len(done.stderr.splitlines()) > 6:
        sys.exit(f"byte {at}: exit {done.returncode}: {done.stderr[:400]}")
    if done.returncode == 2 and done.stdout:
        sys.exit(f"byte {at}: refused, but something was printed")
    refused += done.returncode == 2
if refused == 0:
    sys.exit("no spoilt header was refused")
