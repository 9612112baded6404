#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the archived runs of an H200 to what has to hold there.

    archived.py CSV

CSV is what `ptxlab report` makes of two runs. Prints a count for each kind, and WRONG with the row.
"""

import csv
import sys

# id, quantity, axes that must be there, lowest and highest median of both runs
BANDS = [
    ("latency/fp32/fma_rn_f32", "latency", "", 3.9, 4.1),
    ("latency/int32/mad_lo_s32", "latency", "", 3.9, 4.1),
    ("latency/fp64/fma_rn_f64", "latency", "", 7.9, 8.1),
    ("memory/shared/index", "latency", "", 28.5, 29.5),
    ("memory/l1/pointer", "latency", "", 32, 35),
    ("memory/l1/index", "latency", "", 38, 42),
    ("memory/l2/pointer", "latency", "", 255, 295),
    ("memory/dram/random_ring", "latency", "", 640, 720),
    ("memory/dram/sequential_32", "latency", "", 456, 504),
    ("memory/shared/cluster_other_block", "latency", "", 180, 215),
    ("throughput/fp32/fma_rn_f32", "plateau", "", 124, 128),
    ("throughput/memory/ld_global_u64", "plateau", "", 125, 128.1),
]
# Open: 6 cycles in the loop, as the stall counts say, and 8.8 in a straight line, where the row is
# flagged for it.
OTHERWISE = {"throughput/int64/shl_b64"}
# Beside fixed latencies: what goes through memory, where placement has no say. Two runs may have had
# two machines: what waits for the host, and the pages of memory, differ by more.
REPEATED = [("latency/", 1), ("fence/cost/fence_acq_rel_sys", 15), ("fence/cost/fence_sc_sys", 15),
            ("fence/cost/membar_sys", 15), ("fence/", 3), ("atomic/", 3), ("memory/shared/", 3), ("memory/l1/", 3),
            ("memory/l2/pointer", 3), ("memory/dram/random_ring", 3), ("memory/constant/", 3),
            ("memory/texture/index", 3), ("memory/texture/array_2d", 3), ("memory/local/", 3), ("barrier/block_cost/", 3),
            ("memory/tlb/", 8)]


def main(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["state"] == "ok"]
    within = 0
    for identifier, quantity, axes, low, high in BANDS:
        found = [r for r in rows if r["id"] == identifier and r["quantity"] == quantity
                 and axes in r["axes"]]
        if not found:
            print("WRONG: nothing of", identifier)
        for r in found:
            if low <= float(r["lowest_median"]) and float(r["highest_median"]) <= high:
                within += 1
            else:
                print("WRONG: outside its band:", identifier, r["axes"], r["median"])
    print(f"bands: {within} within")
    agree = 0
    runs = {}  # of the same cubin, whatever the commit
    for r in rows:
        limit = next((limit for start, limit in REPEATED if r["id"].startswith(start)), None)
        if limit is None or r["quantity"] != "latency":
            continue
        lowest, highest, n = runs.get((r["id"], r["axes"], r["cubin_sha256"], limit), (1e99, 0, 0))
        runs[r["id"], r["axes"], r["cubin_sha256"], limit] = (
            min(lowest, float(r["lowest_median"])), max(highest, float(r["highest_median"])),
            n + int(r["runs"]))
    for (identifier, axes, _, limit), (lowest, highest, n) in runs.items():
        if n < 2:
            continue
        spread = 100 * (highest / lowest - 1)
        agree += spread <= limit
        if spread > limit:
            print(f"WRONG: two runs differ by {spread:.1f} %:", identifier, axes)
    print(f"repeats: {agree} rows agree")
    methods = 0
    for r in rows:
        if not r["by_timer_ns"] or r["unit"] != "cycle":
            continue
        ns = float(r["median"]) * 1e3 / float(r["sm_clock_mhz"])
        away = abs(float(r["by_timer_ns"]) / ns - 1)
        methods += away <= 0.05
        # A difference is allowed where the row says so.
        if away > 0.05 and "globaltimer" not in r["flags"]:
            print(f"WRONG: {100 * away:.1f} % between the clocks:", r["id"], r["axes"])
    print(f"methods: {methods} rows agree")
    streams = 0
    latency = {r["id"]: r for r in rows if r["id"].startswith("latency/")}
    for r in rows:
        twin = latency.get(r["id"].replace("throughput/", "latency/"))
        if r["quantity"] != "throughput" or not twin or r["axes"] != "ilp=1;warps=1":
            continue
        # One stream of one warp does nothing but wait for itself.
        cycles = 32 / float(r["median"])
        away = abs(cycles / float(twin["median"]) - 1)
        streams += away <= 0.05
        if away > 0.05 and r["sass"] == twin["sass"] and r["id"] not in OTHERWISE:
            print(f"WRONG: {cycles:.2f} cycles by a stream, {twin['median']} by a chain:", r["id"])
    print(f"streams: {streams} instructions agree")


if __name__ == "__main__":
    main(sys.argv[1])
