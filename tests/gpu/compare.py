#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds the facts of `ptxlab inspect --format json` against what a GPU answered (oracle.py).

    compare.py ORACLE.json FACTS.json [--damage]

Registers, static shared memory and resident blocks per multiprocessor of each kernel have to be those
that the driver reports, and each wait has to have done on the GPU what its verdict says: a deleted
loop returns, a hoisted load is stuck, a kept loop is released. --damage changes one number of each
sort and one verdict first, so that a comparison that cannot fail is noticed.
"""

import json
import sys

DOES = {"deleted": "returned", "load-hoisted": "stuck", "kept": "released"}


def damage(oracle):
    kernel = next(iter(oracle["kernels"].values()))
    kernel["registers"] += 1
    kernel["blocks_per_sm"]["256"] += 1
    oracle["waits"]["wait_volatile"] = "returned"


def differences(oracle, facts):
    compared, wrong = 0, []

    def hold(what, ours, theirs):
        nonlocal compared
        compared += 1
        if ours != theirs:
            wrong.append(f"{what}: facts say {ours}, the GPU {theirs}")

    for report in facts:
        stem = report["input"].removesuffix(".cu")
        for kernel in report["kernels"]:
            name = f"{stem}/{kernel['name']}"
            seen = oracle["kernels"].get(name)
            if seen is None:
                print(f"{name}: not among what the GPU was asked (run oracle.py again)")
                continue
            for key in ("registers", "shared_bytes"):
                hold(f"{name} {key}", kernel["resources"][key], seen[key])
            ours = {str(o["block_threads"]): o["blocks_per_sm"] for o in kernel["occupancy"]}
            for size, blocks in seen["blocks_per_sm"].items():
                hold(f"{name} blocks of {size}", ours.get(size), blocks)
            if kernel["name"] in oracle["waits"] and stem == "wait_forms":
                verdicts = [v["verdict"] for v in kernel["loops"]]
                hold(f"{name} wait", [DOES.get(v) for v in verdicts],
                     [oracle["waits"][kernel["name"]]])
    return compared, wrong


def main(arguments):
    with open(arguments[0], encoding="utf-8") as file:
        oracle = json.load(file)
    with open(arguments[1], encoding="utf-8") as file:
        facts = json.load(file)
    if "--damage" in arguments:
        damage(oracle)
    compared, wrong = differences(oracle, facts)
    print("\n".join(wrong) or f"{compared} values agree with {oracle['device']}")
    return 1 if wrong or compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
