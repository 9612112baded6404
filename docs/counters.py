#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The PTX machine's counts beside those of a GPU, for every access that tests/gpu/counters.py had counted.

    docs/counters.py FILE.csv            fills the column `machine` of FILE.csv, by `ptxlab run`
    docs/counters.py --summary FILE.csv [PREFIX]
                                         prints, as Markdown, how many agree of kernels that begin so

The program is build/ptxlab or $PTXLAB. tests/unit/machine_counters_test.cc compares all of them again.
"""

import csv
import os
import re
import sys

from evidence import ptxlab

SOURCE = "kernels/memory/patterns.cu"
KEYS = ("kernel", "stride", "offset", "flip", "mask")
# What ncu calls it: (what the page calls it, the words of `ptxlab run --report traffic` that make it).
COUNTERS = {
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": ("requests", ("requests",)),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": ("sectors", ("sectors",)),
    "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum": ("lines", ("lines",)),
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": ("sectors", ("sectors",)),
    "smsp__inst_executed_op_shared_ld.sum": ("requests", ("requests",)),
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": ("passes", ("passes32",)),
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum":
        ("conflicts", ("passes32", "ideal32")),
}


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def counts(pattern):
    """Words and numbers of the one access that is asked for."""
    kernel, *numbers = pattern
    space, kind = kernel.split("_")[:2]
    text = ptxlab("run", f"{SOURCE}:{kernel}", "--device", "cpu", "--grid", "1", "--block", "32",
                  "--arg", "buf:u32:32:zero", "--arg", "buf:u32:16384:zero",
                  *[word for n in numbers for word in ("--arg", f"u32:{n}")],
                  "--report", "traffic", "--format", "facts")
    opcode = {"load": "ld", "store": "st"}[kind]
    found = re.findall(rf"^\S+ {opcode}\.(?:volatile\.)?{space}\S*: (.*)$", text, re.MULTILINE)
    if len(found) != 1:
        sys.exit(f"counters: {len(found)} accesses of {kernel} in: {text.strip()[-300:]}")
    words = found[0].split()
    return dict(zip(words[::2], map(int, words[1::2])))


def fill(path):
    rows = read(path)
    known = {}
    for row in rows:
        pattern = tuple(row[key] for key in KEYS)
        if pattern not in known:
            known[pattern] = counts(pattern)
        first, *less = COUNTERS[row["metric"]][1]
        row["machine"] = known[pattern][first] - sum(known[pattern][word] for word in less)
    with open(path + ".new", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*KEYS, "metric", "value", "machine"], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(path + ".new", path)


def summary(path, prefix=""):
    groups = {}
    for row in read(path):
        if row["kernel"].startswith(prefix):
            groups.setdefault((row["kernel"], COUNTERS[row["metric"]][0]), []).append(
                (int(row["value"]), int(row["machine"])))
    if not groups:
        sys.exit(f"counters: {path} has no kernel that begins with '{prefix}'")
    print("| kernel | counted | patterns | least | most | the machine agrees |\n"
          "| --- | --- | ---: | ---: | ---: | ---: |")
    for (kernel, counter), values in groups.items():
        gpu = [value for value, _ in values]
        print(f"| {kernel} | {counter} | {len(values)} | {min(gpu)} | {max(gpu)} | "
              f"{sum(value == machine for value, machine in values)} |")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        fill(sys.argv[1])
    elif len(sys.argv) in (3, 4) and sys.argv[1] == "--summary":
        summary(*sys.argv[2:])
    else:
        sys.exit(__doc__.split("\n\n")[1])
