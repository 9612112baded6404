#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Of a results file, a line for each point: its status and for each quantity the sum of what was
counted in all launches."""

import json
import sys

points = {}
for row in json.load(open(sys.argv[1], encoding="utf-8"))["rows"]:
    at = " ".join(f"{k}={v:g}" for k, v in sorted(row.get("axes", {}).items()))
    point = points.setdefault((row["id"], at), (set(), []))
    point[0].add(row["status"])
    total = sum(sum(s["values"]) for s in row.get("raw", []))
    point[1].append(f"{row['quantity']} {total:g}" if total < 1e6 else
                    f"{row['quantity']} {total:.0f}")
for (name, at), (states, counts) in points.items():
    print(f"{name} {at}: {'/'.join(sorted(states))} {' '.join(sorted(counts))}")
