#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lets one driver call of a run fail, another in each run, and looks at how the run ends: FAKE
COMMAND... It must end by itself, with rows and exit code 0 or 1, or with one line and 2 or 77."""

import json
import os
import re
import subprocess
import sys

fake, command = sys.argv[1], sys.argv[2:]
wrong = []
endings = {}


def run(**variables):
    """The exit code of a run, after checking that it is an orderly one."""
    if os.path.exists("rows.json"):
        os.remove("rows.json")
    environment = dict(os.environ, PTXLAB_LIBCUDA=fake, **variables)
    done = subprocess.run(command + ["--out", "rows.json"], env=environment, check=False,
                          capture_output=True, text=True, timeout=30)
    code = done.returncode
    where = " ".join(f"{k}={v}" for k, v in variables.items())
    lines = done.stderr.splitlines()
    rows = json.load(open("rows.json"))["rows"] if os.path.exists("rows.json") else []
    failed = [r for r in rows if r["status"] != "ok"]
    if code == 0:
        orderly = rows and not failed and not lines
    elif code == 1:
        orderly = failed and not lines and all(r.get("reason") for r in failed)
    else:
        orderly = code in (2, 77) and len(lines) == 1 and lines[0].startswith("ptxlab: ")
    if not orderly:
        wrong.append(f"{where}: exit code {code}, {len(failed)} failed rows: {done.stderr[:300]}")
    for r in failed:
        if re.search("worker process|greet|gibberish", r["reason"]):
            wrong.append(f"{where}: the worker died: {r['reason']}")
    endings[code] = endings.get(code, 0) + 1
    return code


# Every call up to the first launches, then ever fewer of those that repeat, until none is hit.
n = 0
while True:
    n += 1 + n // 90 * 12
    if run(FAKE_FAIL_CALL=str(n)) == 0 and n > 300:
        break

names = re.findall(r'answer\("(\w+)"\)', open(os.path.join(os.path.dirname(
    os.path.abspath(__file__)), "../../driver/Inputs/fake_libcuda.cpp"), encoding="utf-8").read())
for name in sorted(set(names)):
    for status in ("999", "700"):
        run(FAKE_FAIL_NAME=name, FAKE_STATUS=status)

print(f"{n} calls, {len(set(names))} names")
print("exit codes: " + ", ".join(str(c) for c in sorted(endings)))
for line in wrong:
    print("WRONG " + line)
sys.exit(1 if wrong else 0)
