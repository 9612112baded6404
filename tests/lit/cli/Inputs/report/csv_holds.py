#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads `ptxlab report --format csv` with Python's own reader: csv_holds.py FILE."""

import csv
import sys

COLUMNS = ("id axes quantity unit median min mad p5 p95 samples valid reason sass device "
           "sm_clock_mhz driver toolkit commit cubin_sha256 published published_chip "
           "published_source static_cycles residual flags").split()

with open(sys.argv[1], newline="", encoding="utf-8") as file:
    reader = csv.DictReader(file, strict=True)
    rows = list(reader)
assert reader.fieldnames[:len(COLUMNS)] == COLUMNS, reader.fieldnames
assert len(rows) == 15, len(rows)
by = {(row["id"], row["axes"]): row for row in rows}

fma = by["latency/fp32/fma_rn_f32", "blocks=1;threads=32"]
assert (fma["median"], fma["min"], fma["samples"], fma["valid"]) == ("4", "3.99", "5", "true"), fma
assert (fma["published"], fma["published_chip"]) == ("4.07; 4", "Synthetic C (1000 MHz); Synthetic D")
assert fma["published_source"] == 'made up, for this test; "primary"; made up; transcription', fma
assert (fma["static_cycles"], fma["residual"], fma["toolkit"]) == ("4", "0.25", "13.0.88"), fma

div = by["latency/fp32/div_rn_f32", "blocks=1;threads=32"]
assert div["reason"] == 'the timed region has a call, and "foreign" work', div
assert div["sass"] == "MUFU.RCP, FFMA" and div["valid"] == "false", div
for column in "median min mad p5 p95 samples static_cycles residual published".split():
    assert div[column] == "", (column, div)

assert by["launch/stream/empty", ""]["sm_clock_mhz"] == "", "a clock that was not seen is not 0"
assert by["memory/global/random_ca", "footprint_bytes=268435456;stride_bytes=128"]["median"] == "690"
