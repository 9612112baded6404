#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the output of commands into documents, so that no number and no table is typed there.

    docs/refresh.py [--check] DOCUMENT...

A line `<!-- output of: COMMAND -->` is followed by a fenced block; its lines become what COMMAND,
run from the project's root, prints. What is Markdown itself stands without a fence, up to a line
`<!-- end of output -->`. With --check nothing is written, and a block that would change
is an error. A command that fails or prints nothing is an error, and its document stays as it is.
"""

import os
import re
import subprocess
import sys

START = r"(^<!-- output of: ([^\n]+?) -->\n"
FENCED = re.compile(START + r"\n*```[^\n]*\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)
PLAIN = re.compile(START + r")((?!\n*```)(?:(?!<!-- output of:).)*?)(^<!-- end of output -->$)",
                   re.DOTALL | re.MULTILINE)


def refreshed(text, root):
    def run(block, margin):
        done = subprocess.run(block.group(2), shell=True, cwd=root, capture_output=True, text=True,
                              check=False)
        if done.returncode != 0 or not done.stdout.strip():
            sys.exit(f"refresh: `{block.group(2)}` ended with {done.returncode}: "
                     f"{done.stderr.strip()[-300:] or 'it printed nothing'}")
        return block.group(1) + margin + done.stdout.rstrip("\n") + "\n" + margin + block.group(4)
    text = FENCED.sub(lambda block: run(block, ""), text)
    return PLAIN.sub(lambda block: run(block, "\n"), text)


def main(arguments):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    check = "--check" in arguments
    stale = 0
    for path in (a for a in arguments if a != "--check"):
        with open(path, encoding="utf-8") as file:
            old = file.read()
        if old.count("<!-- output of:") != len(FENCED.findall(old)) + len(PLAIN.findall(old)):
            sys.exit(f"refresh: {path}: an 'output of' line without a fenced block after it, and "
                     "without an 'end of output' line")
        new = refreshed(old, root)
        if new == old:
            continue
        stale += 1
        print(f"{path}: {'out of date (make docs)' if check else 'rewritten'}")
        if not check:
            with open(path + ".new", "w", encoding="utf-8") as file:
                file.write(new)
            os.replace(path + ".new", path)
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
