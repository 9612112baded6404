#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Brings what the build and the tests need, and nothing that is already there.
#
#   setup.sh          everything for `make` and `make check`; leaves build/setup.stamp
#   setup.sh fuzz     a clang with libFuzzer, for `make fuzz`
#   setup.sh lint     clang-format and clang-tidy, for `make format` and `make lint`
#
# TOOLKIT=auto    (default) the CUDA toolkit on PATH or in /usr/local/cuda if expectations are
#                 recorded for its version, else a pinned one from PyPI below build/venv
# TOOLKIT=system  the user's own toolkit, whatever its version
# TOOLKIT=pypi    always the pinned one
# STRICT=1        a tool that only tests need is not optional
set -euo pipefail
cd "$(dirname "$0")/../.."

recorded_toolkits="13.0"   # expectations are recorded for these
toolkit=${TOOLKIT:-auto}
here=analysis/toolchain
venv=build/venv
optional_missing=()

say() { printf 'setup: %s\n' "$*"; }
die() { printf 'setup: %s\n' "$*" >&2; exit 1; }

# --- Debian packages: each is asked for only if its probe fails --------------------------------

have() { command -v "$1" >/dev/null 2>&1; }
has_header() { printf '#include <%s>\n' "$1" | g++ -std=c++20 -x c++ -E - >/dev/null 2>&1; }
has_venv() { python3 -c 'import ensurepip, venv' >/dev/null 2>&1; }
has_filecheck() {
  local name
  have FileCheck && return
  for name in /usr/bin/FileCheck-[0-9]* /usr/lib/llvm-*/bin/FileCheck; do
    [[ -x $name ]] && return
  done
  return 1
}
has_any() { local name; for name in "$@"; do have "$name" && return; done; return 1; }
has_libfuzzer() {
  local clang
  clang=$(command -v clang++ || command -v clang++-14) || return 1
  printf 'extern "C" int LLVMFuzzerTestOneInput(const char*, unsigned long) { return 0; }\n' |
    "$clang" -fsanitize=fuzzer,address -x c++ - -o build/.probe >/dev/null 2>&1 && rm -f build/.probe
}

# want build|test PACKAGE PROBE...: notes the package if the probe fails.
must_install=()
may_install=()
want() {
  local kind=$1 package=$2
  shift 2
  "$@" && return
  if [[ $kind == build ]]; then must_install+=("$package"); else may_install+=("$package"); fi
}

probe_all() {
  must_install=()
  may_install=()
  case $1 in
    fuzz)
      want build clang-14 has_any clang++ clang++-14
      want build libclang-rt-14-dev has_libfuzzer
      ;;
    lint)
      want build clang-format-14 has_any clang-format-14 clang-format
      want test clang-tidy-14 has_any clang-tidy-14 clang-tidy
      ;;
    *)
      want build g++ have g++
      want build make have make
      want build pkg-config have pkg-config
      want build libcli11-dev has_header CLI/CLI.hpp
      want build libfmt-dev has_header fmt/format.h
      want build nlohmann-json3-dev has_header nlohmann/json.hpp
      want build libxxhash-dev has_header xxhash.h
      want build nettle-dev has_header nettle/sha2.h
      want build libgtest-dev has_header gtest/gtest.h
      want test python3-venv has_venv
      want test llvm-14-tools has_filecheck
      want build libbenchmark-dev has_header benchmark/benchmark.h
      want test gnuplot-nox have gnuplot
      ;;
  esac
}

install_packages() {
  probe_all "$1"
  local packages=("${must_install[@]}" "${may_install[@]}")
  [[ ${#packages[@]} -eq 0 ]] && return
  if [[ $(id -u) -eq 0 ]] && have apt-get; then
    say "installing with apt-get: ${packages[*]}"
    export DEBIAN_FRONTEND=noninteractive
    if ! { apt-get update -qq &&
           apt-get install -y -qq --no-install-recommends "${packages[@]}"; } >build/apt.log 2>&1; then
      tail -n 5 build/apt.log >&2
    fi
    probe_all "$1"
  fi
  [[ ${#must_install[@]} -eq 0 ]] ||
    die "cannot go on without: ${must_install[*]} (as root: apt-get install ${must_install[*]})"
  [[ ${#may_install[@]} -eq 0 ]] || optional_missing+=("${may_install[@]}")
}

# --- the virtual environment ----------------------------------------------------------------------

# pip_install FILE: the pinned packages of FILE; one line for each that is new.
pip_install() {
  local file=$1 missing
  if [[ ! -x $venv/bin/python ]]; then
    has_venv || return 1
    say "creating $venv"
    python3 -m venv "$venv" >build/venv.log 2>&1 || { tail -n 3 build/venv.log >&2; return 1; }
  fi
  missing=$("$venv/bin/python" - "$file" <<'PYTHON'
import importlib.metadata as metadata
import sys
for line in open(sys.argv[1], encoding="utf-8"):
    name, _, version = line.split("#")[0].strip().partition("==")
    try:
        found = metadata.version(name) if name else version
    except metadata.PackageNotFoundError:
        found = None
    if found != version:
        print(f"{name}=={version}")
PYTHON
  )
  [[ -z $missing ]] && return
  say "installing from PyPI: ${missing//$'\n'/ }"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --retries 2 -r "$file" \
    >build/pip.log 2>&1 || { tail -n 3 build/pip.log >&2; return 1; }
}

wheel_root() { local dir; for dir in "$venv"/lib/python3*/site-packages/nvidia/cu13; do echo "$dir"; done; }

install_tools() {
  local tool
  if ! pip_install "$here/requirements.txt"; then
    say "PyPI gave nothing: going on with the tools that are there"
    for tool in nvdisasm cuobjdump lit; do
      [[ -x $venv/bin/$tool ]] || have "$tool" || optional_missing+=("$tool")
    done
    return
  fi
  for tool in nvdisasm cuobjdump; do
    ln -sfn "$(realpath "$(wheel_root)/bin/$tool")" "$venv/bin/$tool"
  done
}

# --- the CUDA toolkit: build/toolkit is a link to the one in use -------------------------------

nvcc_version() { "$1" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }

system_nvcc() {
  local nvcc
  nvcc=$(command -v nvcc || command -v /usr/local/cuda/bin/nvcc) || return 1
  realpath "$nvcc"
}

use_toolkit() {  # ROOT
  [[ -f $1/include/cuda_occupancy.h ]] ||
    die "the CUDA toolkit in $1 has no cuda_occupancy.h; TOOLKIT=pypi installs a whole one"
  ln -sfn "$1" build/toolkit
  say "CUDA toolkit $(nvcc_version build/toolkit/bin/nvcc) in $1"
}

install_toolkit() {
  local nvcc='' version='' root
  if [[ $toolkit != pypi ]] && nvcc=$(system_nvcc); then
    version=$(nvcc_version "$nvcc")
    if [[ $toolkit == system || " $recorded_toolkits " == *" $version "* ]]; then
      [[ " $recorded_toolkits " == *" $version "* ]] ||
        say "no expectations are recorded for CUDA $version: outcomes may differ"
      use_toolkit "$(dirname "$(dirname "$nvcc")")"
      return
    fi
    say "CUDA ${version:-of unknown version} ($nvcc) is left alone: expectations are recorded for" \
      "$recorded_toolkits (TOOLKIT=system uses it all the same)"
  fi
  [[ $toolkit != system ]] || die "TOOLKIT=system, but there is no nvcc on PATH or in /usr/local/cuda"
  pip_install "$here/requirements-toolkit.txt" ||
    die "no usable CUDA toolkit, and PyPI did not give one (see above)"
  root=$(realpath "$(wheel_root)")
  # The wheels' own nvcc.profile looks for libraries in lib64; the wheels put them in lib.
  ln -sfn lib "$root/lib64"
  use_toolkit "$root"
}

# --- what only needs to be said -----------------------------------------------------------------

report_missing() {
  [[ ${#optional_missing[@]} -eq 0 ]] && return
  say "not there, so tests that need them are skipped: ${optional_missing[*]}"
  [[ -z ${STRICT:-} ]] || die "STRICT=1: a missing tool is a failure"
  return 1
}

case $toolkit in auto | system | pypi) ;; *) die "TOOLKIT is auto, system or pypi, not '$toolkit'" ;; esac
case ${1:-all} in all | fuzz | lint) ;; *) die "unknown part '$1': fuzz or lint" ;; esac
mkdir -p build
if [[ ${1:-all} != all ]]; then
  install_packages "$1"
  exit
fi
install_packages all
install_tools
install_toolkit
# No stamp while something is missing: the next call tries again.
rm -f build/setup.stamp
if report_missing; then
  echo "$toolkit" >build/setup.stamp
  say "complete"
fi
