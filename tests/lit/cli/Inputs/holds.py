# SPDX-License-Identifier: Apache-2.0
"""holds.py FILE ARCH...: the JSON of `inspect` for two.cu has the promised form."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    reports = json.load(file)
archs = sys.argv[2:]
assert isinstance(reports, list) == (len(archs) > 1), "an array for several reports, else an object"
for report, arch in zip(reports if len(archs) > 1 else [reports], archs, strict=True):
    assert report["schema"] == "ptxlab.facts/1" and report["input"] == "two.cu"
    assert report["arch"] == arch, report["arch"]
    assert set(report["toolkit"]) == {"nvcc", "ptxas", "nvdisasm", "cuobjdump"}, report["toolkit"]
    waits, lost = report["kernels"]
    assert (waits["name"], lost["name"]) == ("waits", "waits_not")
    assert waits["resources"]["registers"] > 0 and waits["resources"]["spill_store_bytes"] == 0
    [ptx], [sass], [verdict] = waits["ptx"]["loops"], waits["sass"]["loops"], waits["loops"]
    assert ptx["exit"] == sass["exit"] == "load" and ptx["line"] == sass["line"] == 4
    assert ptx["polls"][0]["strength"] == "volatile", ptx["polls"]
    assert sass["polls"][0]["strength"] == "strong.sys" and sass["trip"] is None
    assert (verdict["verdict"], verdict["line"]) == ("kept", 4), verdict
    assert verdict["evidence"] and waits["findings"] == []
    [gone] = lost["loops"]
    assert gone["verdict"] in ("load-hoisted", "deleted") and gone["lost_in"] == "nvcc", gone
