#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for ncu: counts 1 for every launch and metric that counters.py asks for.

What $FAULT says goes wrong: "status", "nothing", "fewer" launches, "another" kernel.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["PTXLAB_ROOT"], "tests", "gpu"))
import counters  # noqa: E402

fault = os.environ.get("FAULT", "")
if fault == "status":
    sys.exit("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission")
print("==PROF== Connected to process 1")
if fault == "nothing":
    sys.exit(0)
print('"ID","Kernel Name","Metric Name","Metric Value"')
asked = counters.patterns(sys.argv[-1])
for number, pattern in enumerate(asked[:-1] if fault == "fewer" else asked):
    name = "another" if fault == "another" and number == 7 else pattern[0]
    for metric in counters.METRICS[sys.argv[-1]]:
        print(f'"{number}","{name}","{metric}","1"')
