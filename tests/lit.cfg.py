# SPDX-License-Identifier: Apache-2.0
# The one lit configuration of the project: for the suite `tests` and, through kernels/lit.cfg.py,
# for the suite `kernels`. `-Dptxlab=PROGRAM` tests another program than build/ptxlab.

import os
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
build = os.path.join(root, "build")
sys.path.insert(0, os.path.join(root, "analysis", "toolchain"))
import ptxlab_lit  # noqa: E402


def ours(*path):
    """A tool that set-up put below build/, or None."""
    tool = os.path.join(build, *path)
    return tool if os.access(tool, os.X_OK) else None


config.name = getattr(config, "suite", "tests")
config.suffixes = [".cu", ".ptx", ".test"]
config.excludes = ["Inputs", "unit", "bench", "fuzz"]
config.test_source_root = os.path.join(root, config.name)
config.test_exec_root = os.path.join(build, "lit", config.name)
config.environment["PTXLAB_ROOT"] = root
ptxlab_lit.configure(
    config, lit_config,
    program=lit_config.params.get("ptxlab", os.path.join(build, "ptxlab")),
    nvcc=os.environ.get("PTXLAB_NVCC") or ours("toolkit", "bin", "nvcc"),
    nvdisasm=os.environ.get("PTXLAB_NVDISASM") or ours("venv", "bin", "nvdisasm"),
    # A kernel file checks what both compilers made of it.
    always=["nvcc", "ptxas", "nvdisasm"] if config.name == "kernels" else [])
config.substitutions += [
    ("%root", root),
    # %exits N COMMAND...: the command must exit with just N.
    ("%exits", f"{sys.executable} {os.path.join(root, 'tests', 'lit', 'exits.py')}"),
]
