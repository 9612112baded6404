#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What can be said of barrier kernels without a GPU, as the table docs/data/barrier_evidence.csv.

    docs/evidence.py [FILE...]

Asks `ptxlab inspect` what the compilers left of each kernel's waits and which fences, atomics and
strong loads stand in its SASS, and `ptxlab try` how it ran on the PTX machine. Without files all of
kernels/barrier that declare a run there. Prints CSV; the program is build/ptxlab or $PTXLAB.
"""

import csv
import glob
import json
import os
import re
import subprocess
import sys

ARCH = "sm_90"
COLUMNS = ["kernel", "on the PTX machine", "wrong elements", "races", "its wait, in SASS"]
# What a barrier is made of, in the order in which a block meets it.
FINGERPRINT = ("MEMBAR*", "UCGABAR*", "ATOM*", "RED.*", "REDG*", "ST*.STRONG.*", "LD*.STRONG.*",
               "CCTL.*", "NANOSLEEP*")
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def ptxlab(*arguments):
    program = os.environ.get("PTXLAB", os.path.join(ROOT, "build/ptxlab"))
    # Wide enough that no cell of a table is folded.
    if not os.access(program, os.X_OK):
        sys.exit(f"evidence: {program}: no such program; `make build` makes it")
    done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True,
                          check=False, env=os.environ | {"COLUMNS": "4000", "NO_COLOR": "1"})
    if done.returncode != 0:
        sys.exit(f"evidence: ptxlab {' '.join(arguments[:2])} ...: {done.stderr.strip()[-300:]}")
    return done.stdout


def verdict(v):
    """As analysis/facts prints it: "deleted in ptxas", "unrolled by 4 full"."""
    return (v["verdict"] + (f" in {v['lost_in']}" if v["lost_in"] else "") +
            (f" by {v['factor']}" if v["factor"] else "") + (" full" if v["full"] else "") +
            (" peeled" if v["peeled"] else ""))


def waits(kernel):
    """Verdicts on the loops that wait for somebody, those that lost what they wait for included."""
    def polls(stage, loop):
        return any(l["id"] == loop and (l["polls"] or l["exit"] == "none")
                   for l in kernel[stage]["loops"])
    found = [verdict(v) for v in kernel["loops"]
             if polls("ptx", v["ptx_loop"]) or polls("sass", v["sass_loop"])
             or v["verdict"] == "load-hoisted"]
    return "; ".join(found) or "-"


def fingerprint(kernel):
    out = []
    for pattern in FINGERPRINT:
        fits = re.compile(re.escape(pattern).replace(r"\*", ".*") + "$")
        out += [name if count == 1 else f"{count} {name}"
                for name, count in sorted(kernel["sass"]["opcodes"].items()) if fits.match(name)]
    return ", ".join(out)


def runs(files):
    """Kernel id -> (ending, wrong elements, races), from the tables of `ptxlab try`."""
    out, where = {}, None
    for line in ptxlab("try", *files).splitlines():
        head = re.match(r"(\S+), each kernel under \d+ schedules$", line)
        cells = re.split(r"\s{2,}", line.strip())
        if head:
            where = head.group(1)
        elif cells == COLUMNS or not line.strip():
            continue
        elif where is None or len(cells) != len(COLUMNS):
            sys.exit(f"evidence: not understood from ptxlab try: {line}")
        else:
            out[f"{where}/{cells[0]}"] = tuple(cells[1:4])
    return out


def cooperative(path):
    """Symbols whose declaration asks for a cooperative launch, itself or by what it names."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    macros = dict(re.findall(r"^#define (PTXLAB_\w+) (.*(?:\\\n.*)*)", text, re.MULTILINE))
    launches = dict(re.findall(r"rehearsal (\w+) = (.*?);", text, re.DOTALL))
    family = re.search(r"barrier_family family\{([^}]*)\}", text)
    if family:  # kernels/barrier/family.hpp
        launches["family"] = family.group(1)
    out = set()
    for part in text.split(".symbol = ")[1:]:
        part += "".join(body for name, body in macros.items() if name in part)
        part += "".join(body for name, body in launches.items()
                        if re.search(rf"\.(rehearse|measure) = {name}\b", part))
        if re.search(r"\.cooperative = true", part):
            out.add(part.split('"')[1])
    return out


def declares_a_run(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return ".rehearse = " in file.read()


def main(files):
    if not files:
        files = [f for f in sorted(glob.glob("kernels/barrier/*.cu", root_dir=ROOT))
                 if declares_a_run(f)]
    if not files:
        sys.exit("evidence: no file of kernels/barrier declares a run on the machine")
    tried = runs(files)
    reports = json.loads(ptxlab("inspect", "--arch", ARCH, "--format", "json", *files))
    reports = reports if isinstance(reports, list) else [reports]
    if [os.path.basename(f) for f in files] != [r["input"] for r in reports]:
        sys.exit("evidence: ptxlab inspect answers other files than it was asked for")
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["id", "waits", "ending", "wrong", "races", "sass", "cooperative"])
    for path, report in zip(files, reports):
        name = path.removeprefix("kernels/").removesuffix(".cu")
        special = cooperative(path)
        for kernel in report["kernels"]:
            identifier = f"{name}/{kernel['name']}"
            if not kernel["entry"] or identifier not in tried:
                continue
            out.writerow([identifier, waits(kernel), *tried[identifier], fingerprint(kernel),
                          "yes" if kernel["name"] in special else "no"])


if __name__ == "__main__":
    main(sys.argv[1:])
