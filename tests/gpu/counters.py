#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an NVIDIA GPU counts for one access of a warp, pattern by pattern, by ncu.

    counters.py CUBIN OUT.csv

CUBIN is kernels/memory/patterns.cu as `ptxlab inspect kernels/memory/patterns.cu --keep FOLDER` left it.
Every kernel is launched with one warp for each of the patterns below, under ncu, which has to be on PATH or
in PTXLAB_NCU. OUT.csv gets a line for each pattern and counter: kernel, stride, offset, flip, mask, metric,
value. docs/counters.py adds what the PTX machine counts; tests/unit/machine_counters_test.cc compares both.

Only ctypes, libcuda and ncu are used. Exit: 0 if OUT.csv is complete, 1 if ncu could not count.
"""

import csv
import ctypes
import io
import os
import re
import shutil
import subprocess
import sys

from oracle import Driver

ALL = 0xffffffff
WIDTHS = ("u8", "u32", "u64", "u128")
# One pass of the hardware's counters for each list.
METRICS = {
    "global": ("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
               "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
               "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum",
               "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
    "shared": ("smsp__inst_executed_op_shared_ld.sum",
               "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
               "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"),
}
COLUMNS = ("kernel", "stride", "offset", "flip", "mask", "metric", "value")
# Masks with holes: one lane, a quarter, a half, every second, fourth and eighth, all but every fourth.
MASKS = (0x1, 0xff, 0xffff, 0x55555555, 0x11111111, 0x01010101, 0xdddddddd, 0x00ff00ff)


def patterns(space):
    """(kernel, stride, offset, flip, mask) of every launch, in order."""
    out = []
    if space == "shared":
        for width in WIDTHS:
            kernel = f"shared_load_{width}"
            out += [(kernel, stride, 0, 0, ALL) for stride in (*range(37), 40, 48, 56, 63, 64)]
            out += [(kernel, 1, 0, flip, ALL) for flip in (1, 3, 16, 31)]
            out += [(kernel, 1, 0, 0, mask) for mask in MASKS]
        out += [("shared_load_tile", columns, 0, 0, ALL) for columns in range(16, 21)]
        return out
    for kernel in [f"global_load_{width}" for width in WIDTHS] + ["global_store_u32"]:
        unit = {"u8": 1, "u32": 4, "u64": 8, "u128": 16}[kernel.split("_")[2]]
        out += [(kernel, stride, 0, 0, ALL)
                for stride in (*range(10), 12, 16, 17, 24, 31, 32, 33, 48, 64)]
        out += [(kernel, 1, offset, 0, ALL)
                for offset in (4, 16, 32, 64, 96, 128, 132, 144) if offset % unit == 0]
        out += [(kernel, 1, 0, flip, ALL) for flip in (1, 3, 16, 31)]
        out += [(kernel, 1, 0, 0, mask) for mask in MASKS]
    return out


def launch_all(cubin, space):
    """In the child, under ncu."""
    driver = Driver()
    module = driver.load(cubin)
    out, memory = ctypes.c_uint64(), ctypes.c_uint64()
    driver.call("cuMemAlloc_v2", ctypes.byref(out), ctypes.c_size_t(4096))
    driver.call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(1 << 16))
    driver.call("cuMemsetD32_v2", memory, 0, ctypes.c_size_t(1 << 14))
    for kernel, *numbers in patterns(space):
        held = [out, memory] + [ctypes.c_uint32(n) for n in numbers]
        arguments = (ctypes.c_void_p * len(held))(
            *[ctypes.cast(ctypes.pointer(h), ctypes.c_void_p) for h in held])
        driver.call("cuLaunchKernel", driver.function(module, kernel), 1, 1, 1, 32, 1, 1, 0, None,
                    arguments, None)
        driver.call("cuCtxSynchronize")


def counted(text, space):
    """Rows of OUT.csv from what ncu printed: launches are told in the order of their numbers."""
    start = text.find('"ID"')
    if start < 0:
        sys.exit(f"counters: no counters in what ncu printed: {text.strip()[-400:]}")
    values = {}
    for row in csv.DictReader(io.StringIO(text[start:])):
        number = int(row["ID"])
        values.setdefault(number, (row["Kernel Name"], {}))[1][row["Metric Name"]] = row["Metric Value"]
    asked = patterns(space)
    if sorted(values) != list(range(len(asked))):
        sys.exit(f"counters: {len(values)} launches were counted, not {len(asked)}")
    out = []
    for number, pattern in enumerate(asked):
        name, metrics = values[number]
        if not re.match(re.escape(pattern[0]) + r"\b", name):
            sys.exit(f"counters: launch {number} is {name}, not {pattern[0]}")
        for metric in METRICS[space]:
            # Every load's kernel stores what it loaded, which is not the question.
            if space == "shared" or ("_op_st" in metric) == ("_store_" in pattern[0]):
                out.append((*pattern, metric, metrics[metric].replace(",", "")))
    return out


def main(arguments):
    if len(arguments) == 3 and arguments[0] == "--launch":
        return launch_all(arguments[1], arguments[2])
    if len(arguments) != 2:
        sys.exit(__doc__.split("\n\n")[1].strip())
    cubin, target = arguments
    ncu = os.environ.get("PTXLAB_NCU") or shutil.which("ncu")
    if not ncu:
        sys.exit("counters: no ncu on PATH and none in PTXLAB_NCU")
    rows = []
    for space, metrics in METRICS.items():
        try:
            done = subprocess.run(
                [ncu, "--clock-control", "none", "--cache-control", "none", "--csv", "--metrics",
                 ",".join(metrics), sys.executable, os.path.abspath(__file__), "--launch", cubin,
                 space], capture_output=True, text=True, check=False)
        except OSError as problem:
            sys.exit(f"counters: cannot run {ncu}: {problem.strerror}")
        if done.returncode != 0:
            sys.exit(f"counters: ncu ended with {done.returncode}: "
                     f"{(done.stderr + done.stdout).strip()[-400:]}")
        rows += counted(done.stdout, space)
    with open(target + ".new", "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(rows)
    os.replace(target + ".new", target)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
