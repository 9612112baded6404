# SPDX-License-Identifier: Apache-2.0
"""Gives a lit suite the tools of ptxlab. Used by our own suites and, installed, by other projects.

    import sys
    sys.path.insert(0, "PREFIX/share/ptxlab/lit")
    import ptxlab_lit
    config.name, config.suffixes = "my kernels", [".cu"]
    ptxlab_lit.configure(config, lit_config)

Substitutions: %ptxlab, %FileCheck, %nvcc. Features, each found out by using the tool: nvcc, ptxas,
nvdisasm, filecheck, cuda-MAJOR.MINOR, gpu. A test that names a substitution whose tool is not there
is reported as unsupported, with the feature's name, and never as passed.
"""

import glob
import os
import re
import shutil
import subprocess
import tempfile

import lit.formats

# Where this file was installed with the program: PREFIX/share/ptxlab/lit.
_PREFIX = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))

_TOOL_VARIABLES = ("PTXLAB_ROOT", "PTXLAB_NVCC", "PTXLAB_NVDISASM", "PTXLAB_CUOBJDUMP",
                   "PTXLAB_CACHE", "XDG_CACHE_HOME", "HOME", "ASAN_OPTIONS", "UBSAN_OPTIONS")


class Kernels(lit.formats.ShTest):
    """A shell test that requires the tools which its text names."""

    def __init__(self, always=()):
        super().__init__(execute_external=True)
        self.always = tuple(always)

    def execute(self, test, lit_config):
        with open(test.getSourcePath(), encoding="utf-8", errors="replace") as file:
            text = file.read()
        needs = set(self.always)
        needs.update(feature for word, feature in (("%FileCheck", "filecheck"), ("%nvcc", "nvcc"))
                     if word in text)
        test.requires = list(test.requires) + sorted(needs)
        return super().execute(test, lit_config)


def find_filecheck():
    """FileCheck by its plain name, else the newest of LLVM 14 or later; None if there is none."""
    plain = shutil.which("FileCheck")
    if plain:
        return plain
    found = {}
    for path in glob.glob("/usr/bin/FileCheck-*") + glob.glob("/usr/lib/llvm-*/bin/FileCheck"):
        version = re.search(r"-(\d+)", path)
        if version and int(version.group(1)) >= 14:
            found[int(version.group(1))] = path
    return found[max(found)] if found else None


def _output(*command):
    """Standard output of a command that succeeds, else None."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def probe(nvcc, nvdisasm, filecheck):
    """The features that are there: every tool is asked to do its work on a tiny kernel."""
    features = set()
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "probe.cu")
        ptx, cubin = os.path.join(folder, "probe.ptx"), os.path.join(folder, "probe.cubin")
        with open(source, "w", encoding="utf-8") as file:
            file.write('extern "C" __global__ void probe(int* p) { *p = 1; }\n')
        if nvcc and _output(nvcc, "-ptx", source, "-o", ptx) is not None:
            features.add("nvcc")
            release = re.search(r"release ([0-9.]+)", _output(nvcc, "--version") or "")
            if release:
                features.add("cuda-" + release.group(1))
            if _output(nvcc, "-cubin", ptx, "-o", cubin) is not None:
                features.add("ptxas")
        if nvdisasm and "ptxas" in features and "EXIT" in (_output(nvdisasm, cubin) or ""):
            features.add("nvdisasm")
        if filecheck:
            with open(source, "a", encoding="utf-8") as file:
                file.write("// CHECK: probe\n")
            if _output(filecheck, source, "--input-file=" + source) is not None:
                features.add("filecheck")
    if os.path.exists("/dev/nvidiactl"):
        features.add("gpu")
    return features


def configure(config, lit_config, program=None, nvcc=None, nvdisasm=None, always=()):
    """Sets format, substitutions, features and environment of `config`.

    A tool that is not given is taken from the environment (PTXLAB, PTXLAB_NVCC, PTXLAB_NVDISASM),
    from the prefix that this file was installed in, from PATH and from /usr/local/cuda; `always`
    names features that every test of the suite requires.
    """
    installed = os.path.join(_PREFIX, "lib", "ptxlab", "venv", "bin")
    program = (program or os.environ.get("PTXLAB")
               or shutil.which(os.path.join(_PREFIX, "bin", "ptxlab")) or shutil.which("ptxlab"))
    if not program or not os.access(program, os.X_OK):
        lit_config.fatal(f"no program ptxlab ({program or 'not on PATH'}): build or install it, or"
                         " set PTXLAB")
    nvcc = (nvcc or os.environ.get("PTXLAB_NVCC") or shutil.which("nvcc")
            or shutil.which("/usr/local/cuda/bin/nvcc"))
    nvdisasm = (nvdisasm or os.environ.get("PTXLAB_NVDISASM")
                or shutil.which(os.path.join(installed, "nvdisasm")) or shutil.which("nvdisasm")
                or shutil.which("/usr/local/cuda/bin/nvdisasm"))
    filecheck = find_filecheck()
    config.test_format = Kernels(always)
    config.available_features.update(probe(nvcc, nvdisasm, filecheck))
    for name in _TOOL_VARIABLES:
        if name in os.environ:
            config.environment[name] = os.environ[name]
    config.substitutions += [
        ("%ptxlab", program),
        ("%FileCheck", f"{filecheck} --dump-input=fail -enable-var-scope"),
        ("%nvcc", str(nvcc)),
    ]
