#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that dependencies point one way (docs/HACKING.md), by the include lines of every source.

    tests/layering.py [ROOT]

Prints one TAP line per rule, and one per negative control: a small tree that breaks just that rule.
"""

import os
import re
import sys
import tempfile

SOURCES = (".cpp", ".hpp", ".inc", ".cc", ".cu", ".cuh")
TOP_LEVEL = {"kernels", "ptx", "driver", "analysis", "tests", "docs", "Makefile", "README.md",
             "LICENSE"}
# Not part of the project: what a build or an editor leaves.
LEFT_BEHIND = {"build", "compile_commands.json", "__pycache__"}
OURS = ("ptx/", "analysis/", "driver/", "kernels/", "tests/")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')

# Folder -> what of ours it may include. The longest matching folder counts.
MAY_INCLUDE = {
    "ptx/text/": ("ptx/text/", "ptx/flow/"),
    "ptx/flow/": ("ptx/text/", "ptx/flow/"),
    "ptx/machine/": ("ptx/text/", "ptx/flow/", "ptx/machine/"),
    "ptx/device/": ("ptx/device/",),
    "ptx/": (),
    # The models of memory are pure functions; the machine that counts with them is not wanted there.
    "analysis/": ("ptx/text/", "ptx/flow/", "analysis/", "ptx/machine/observers/banks.hpp",
                  "ptx/machine/observers/coalescing.hpp"),
    "driver/": ("ptx/text/", "ptx/flow/", "ptx/machine/", "analysis/", "driver/",
                "kernels/kernel.hpp", "ptx/device/sample.hpp", "ptx/device/sort_counts.hpp"),
    "kernels/": ("kernels/kernel.hpp",),
    "tests/": OURS,
}


def includes(root):
    """Every (file, line, half, bracket, target); half is device, host or '' (see halves)."""
    for top in sorted(TOP_LEVEL):
        for folder, folders, files in os.walk(os.path.join(root, top)):
            folders[:] = sorted(f for f in folders if f not in LEFT_BEHIND and f != "Inputs")
            for name in sorted(f for f in files if f.endswith(SOURCES)):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8", errors="replace") as file:
                    lines = file.readlines()
                for number, (half, line) in enumerate(zip(halves(lines), lines), 1):
                    found = INCLUDE.match(line)
                    if found:
                        yield os.path.relpath(path, root), number, half, *found.groups()


def halves(lines):
    """For each line: is it for nvcc only, for the host compiler only, or (empty) for both?"""
    stack = []
    for line in lines:
        directive = re.match(r"\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b(.*)", line)
        if directive:
            word, rest = directive.groups()
            if word in ("if", "ifdef", "ifndef"):
                half = ""
                if "__CUDACC__" in rest:
                    half = "host" if word == "ifndef" or "!" in rest else "device"
                stack.append(half)
            elif word in ("else", "elif") and stack:
                stack[-1] = {"device": "host", "host": "device", "": ""}[stack[-1]]
            elif word == "endif" and stack:
                stack.pop()
        yield next((half for half in reversed(stack) if half), "")


def allowed(path):
    folder = max((f for f in MAY_INCLUDE if path.startswith(f)), key=len)
    return MAY_INCLUDE[folder]


def is_ours(target):
    return target.startswith(OURS)


def folders_point_one_way(root):
    """each folder includes only what is below it"""
    for path, line, _, _, target in includes(root):
        if is_ours(target) and not path.endswith(".cu") and not target.startswith(allowed(path)):
            yield f"{path}:{line}: {target}"


def kernel_halves(root):
    """a kernel's device half includes only ptx/device, its host half kernel.hpp or its family's headers"""
    for path, line, half, _, target in includes(root):
        if not path.startswith("kernels/") or not path.endswith(".cu") or not is_ours(target):
            continue
        if half == "device" and target.startswith("ptx/device/"):
            continue
        family = os.path.dirname(path) + "/"
        if half == "host" and (target == "kernels/kernel.hpp" or
                               target.startswith(family) and target.endswith(".hpp")):
            continue
        yield f"{path}:{line}: {target} in the {half or 'common'} part"


def cuda_only_in_driver(root):
    """the CUDA driver API is included only in driver/"""
    for path, line, _, _, target in includes(root):
        if re.fullmatch(r"(cuda|cudaTypedefs|nvml|cuda_runtime(_api)?)\.h", target) and (
                path.startswith(("analysis/", "ptx/text/", "ptx/flow/", "ptx/machine/"))):
            yield f"{path}:{line}: {target}"


def occupancy_in_one_file(root):
    """the toolkit's occupancy header is included by one file"""
    for path, line, _, _, target in includes(root):
        if target == "cuda_occupancy.h" and path != "analysis/facts/occupancy.cpp":
            yield f"{path}:{line}: {target}"


def report_from_outside(root):
    """driver/ knows of analysis/report only its report.hpp"""
    for path, line, _, _, target in includes(root):
        if path.startswith("driver/") and target.startswith("analysis/report/") and (
                target != "analysis/report/report.hpp"):
            yield f"{path}:{line}: {target}"


def benchmark_in_one_file(root):
    """Google Benchmark is included by one file of driver/, and by tests/bench"""
    users = [(path, line) for path, line, _, _, target in includes(root)
             if target == "benchmark/benchmark.h" and not path.startswith("tests/bench/")]
    for path, line in users:
        if not path.startswith("driver/"):
            yield f"{path}:{line}: benchmark/benchmark.h"
    inside = sorted({path for path, _ in users if path.startswith("driver/")})
    if len(inside) > 1:
        yield "more than one: " + ", ".join(inside)


def includes_from_root(root):
    """includes of our files are written from the root, in quotes, and exist"""
    for path, line, _, bracket, target in includes(root):
        if path.startswith("tests/lit/"):
            continue  # a test's own input
        if bracket == '"' and not is_ours(target):
            yield f'{path}:{line}: "{target}" does not start at the root'
        elif is_ours(target) and bracket == "<":
            yield f"{path}:{line}: <{target}> should be in quotes"
        elif is_ours(target) and not os.path.isfile(os.path.join(root, target)):
            yield f"{path}:{line}: {target} does not exist"


def top_level(root):
    """the top level holds what the design names"""
    for name in sorted(os.listdir(root)):
        if name not in TOP_LEVEL | LEFT_BEHIND and not name.startswith("."):
            yield name


# Rule -> files of a tree that breaks it. The common tree below breaks none.
SOUND = {
    "ptx/text/a.hpp": "#include <string>\n",
    "ptx/device/a.cuh": "",
    "analysis/facts/a.hpp": '#include "ptx/text/a.hpp"\n',
    "analysis/facts/occupancy.cpp": "#include <cuda_occupancy.h>\n",
    "analysis/report/report.hpp": "",
    "analysis/report/a.hpp": "",
    "driver/a.cpp": '#include <cuda.h>\n#include <benchmark/benchmark.h>\n'
                    '#include "analysis/report/report.hpp"\n',
    "kernels/kernel.hpp": "",
    "kernels/b/a.cu": '#ifdef __CUDACC__\n#include "ptx/device/a.cuh"\n#else\n'
                      '#include "kernels/kernel.hpp"\n#include "kernels/b/a.hpp"\n#endif\n',
    "kernels/b/a.hpp": '#include "kernels/kernel.hpp"\n',
    "tests/unit/a_test.cc": '#include "ptx/text/a.hpp"\n',
    "README.md": "",
}
RULES = {
    folders_point_one_way: (
        {"ptx/text/b.cpp": '#include "analysis/facts/a.hpp"\n'},
        {"ptx/flow/b.cpp": '#include "ptx/device/a.cuh"\n'},
        {"analysis/facts/b.cpp": '#include "driver/a.cpp"\n'},
        {"driver/b.cpp": '#include "tests/unit/a_test.cc"\n'},
        {"kernels/b.cpp": '#include "analysis/facts/a.hpp"\n'},
    ),
    kernel_halves: (
        {"kernels/b/b.cu": '#ifdef __CUDACC__\n#include "kernels/kernel.hpp"\n#endif\n'},
        {"kernels/b/b.cu": '#ifndef __CUDACC__\n#include "ptx/device/a.cuh"\n#endif\n'},
        {"kernels/b/b.cu": '#include "ptx/device/a.cuh"\n'},
        {"kernels/b/b.cu": '#ifdef __CUDACC__\n#else\n#include "kernels/c/a.hpp"\n#endif\n'},
        {"kernels/b/b.cu": '#if defined(__CUDACC__)\n#if 1\n#else\n'
                           '#include "analysis/facts/a.hpp"\n#endif\n#endif\n'},
    ),
    cuda_only_in_driver: (
        {"analysis/facts/b.cpp": "#include <cuda.h>\n"},
        {"ptx/machine/b.cpp": "#include <cuda_runtime.h>\n"},
    ),
    occupancy_in_one_file: ({"analysis/facts/b.cpp": "#  include <cuda_occupancy.h>\n"},),
    report_from_outside: ({"driver/b.cpp": '#include "analysis/report/a.hpp"\n'},),
    benchmark_in_one_file: (
        {"analysis/facts/b.cpp": "#include <benchmark/benchmark.h>\n"},
        {"driver/b.cpp": "#include <benchmark/benchmark.h>\n"},
    ),
    includes_from_root: (
        {"driver/b.cpp": '#include "a.hpp"\n'},
        {"driver/b.cpp": "#include <ptx/text/a.hpp>\n"},
        {"driver/b.cpp": '#include "ptx/text/gone.hpp"\n'},
    ),
    top_level: ({"utils/b.txt": ""},),
}


def broken_rules(files):
    """The rules that a tree of SOUND and `files` breaks."""
    with tempfile.TemporaryDirectory() as root:
        for path, text in {**SOUND, **files}.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)) or root, exist_ok=True)
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        return {rule for rule in RULES if any(rule(root))}


def main(root):
    results = []
    for rule in RULES:
        results.append((rule.__doc__, list(rule(root))))
    seen = {path.split("/")[0] for path, *_ in includes(root)}
    results.append(("sources were found to check",
                    [] if {"ptx", "analysis", "kernels"} <= seen else ["found: " + str(seen)]))
    wrong = broken_rules({})
    results.append(("control: a sound tree breaks no rule", [rule.__doc__ for rule in wrong]))
    for rule, trees in RULES.items():
        missed = [str(files) for files in trees if rule not in broken_rules(files)]
        results.append((f"control: a tree breaks '{rule.__doc__}'", missed))
    print(f"1..{len(results)}")
    for number, (name, faults) in enumerate(results, 1):
        print(f"{'not ok' if faults else 'ok'} {number} - {name}")
        for fault in faults:
            print(f"#   {fault}")
    return 1 if any(faults for _, faults in results) else 0


if __name__ == "__main__":
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else here))
