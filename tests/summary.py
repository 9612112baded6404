#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up what the test runners left in a folder and ends with one line that counts them.

    tests/summary.py RESULTS RUNNER...

RUNNER leaves RUNNER.rc (its exit status) and RUNNER.xml (JUnit form: GoogleTest, lit) or RUNNER.tap
(lines `ok N - NAME`, `not ok N - NAME`, `ok N - NAME # SKIP reason`). A runner that crashed, left no
report, or ran nothing counts as one failure. With STRICT set, a skipped test is a failure unless it
was skipped for want of a GPU. The exit status is 0 only if nothing failed.
"""

import collections
import os
import re
import sys
import xml.etree.ElementTree as tree

Result = collections.namedtuple("Result", "name outcome reason")


def read_xml(path):
    """The tests of a JUnit report."""
    for case in tree.parse(path).iter("testcase"):
        name = f"{case.get('classname', '')}.{case.get('name', '')}".strip(".")
        skipped = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            yield Result(name, "failed", "")
        elif skipped is not None:
            reason = skipped.get("message") or (skipped.text or "")
            yield Result(name, "skipped", " ".join(reason.split()))
        elif case.get("status") == "notrun":
            yield Result(name, "skipped", "disabled")
        else:
            yield Result(name, "passed", "")


def read_tap(path):
    """The tests of a report in lines; a plan that does not agree is a failure."""
    planned, seen = None, 0
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            plan = re.match(r"1\.\.(\d+)\s*$", line)
            test = re.match(r"(not )?ok\s+\d+\s*-?\s*(.*?)(?:\s+# SKIP\s*(.*))?$", line)
            if plan:
                planned = int(plan.group(1))
            elif test:
                seen += 1
                outcome = "failed" if test.group(1) else "passed"
                if test.group(3) is not None:
                    outcome = "skipped"
                yield Result(test.group(2), outcome, (test.group(3) or "").strip())
    if planned != seen:
        yield Result(f"plan of {planned or 'no'} tests, but {seen} reported", "failed", "")


def read_runner(folder, runner):
    """Every result of one runner, and its own fault as one more."""
    base = os.path.join(folder, runner)
    results, fault = [], ""
    try:
        if os.path.exists(base + ".xml"):
            results = list(read_xml(base + ".xml"))
        elif os.path.exists(base + ".tap"):
            results = list(read_tap(base + ".tap"))
    except (tree.ParseError, OSError) as error:
        fault = f"its report cannot be read: {error}"
    try:
        with open(base + ".rc", encoding="utf-8") as file:
            status = int(file.read())
    except (OSError, ValueError):
        status, fault = None, "did not run to its end"
    if not fault and not results:
        fault = (f"left no report (exit status {status}): crashed, or could not start" if status
                 else "ran no test")
    if not fault and status != 0 and all(result.outcome != "failed" for result in results):
        fault = f"exit status {status}, though its report names no failure"
    if fault:
        results.append(Result(fault, "failed", ""))
    return results


def main(folder, runners):
    strict = bool(os.environ.get("STRICT"))
    total = collections.Counter()
    for runner in runners:
        results = read_runner(folder, runner)
        if strict:
            results = [result._replace(outcome="failed", reason=f"skipped: {result.reason}; STRICT")
                       if result.outcome == "skipped" and not re.search(r"\bgpu\b", result.reason,
                                                                        re.IGNORECASE) else result
                       for result in results]
        count = collections.Counter(result.outcome for result in results)
        total.update(count)
        print(f"{runner:<10} {count['passed']:5} passed {count['failed']:4} failed"
              f" {count['skipped']:4} skipped")
        for outcome in ("failed", "skipped"):
            for result in results:
                if result.outcome == outcome:
                    tail = f": {result.reason}" if result.reason else ""
                    print(f"  {outcome} {result.name}{tail}")
    print(f"{total['passed']} passed, {total['failed']} failed, {total['skipped']} skipped",
          flush=True)
    return 1 if total["failed"] or not total["passed"] else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: summary.py RESULTS RUNNER...")
    sys.exit(main(sys.argv[1], sys.argv[2:]))
