#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Another project, in a folder of its own, gates its kernel with an installed ptxlab: exactly the files
# and commands that docs/USING.md shows. Prints TAP.
#
# In docs/USING.md a fenced block whose info string ends in `file=NAME` is that file; each block that
# ends in `run` is commands that must succeed, and one that ends in `output` is, to the letter, what
# the commands before it print. PREFIX in them stands for the install prefix.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
outside=$(mktemp -d)
trap 'rm -rf "$outside"' EXIT
# Of this project's own tools the outsider has lit alone; the rest has to come with what is installed.
mkdir -p "$outside/project" "$outside/tools"
[[ ! -x $root/build/venv/bin/lit ]] || ln -s "$root/build/venv/bin/lit" "$outside/tools/lit"
export PATH="$outside/prefix/bin:$outside/tools:$PATH:$root/build/toolkit/bin"
export XDG_CACHE_HOME="$outside/cache"
unset MAKEFLAGS MAKELEVEL MFLAGS PTXLAB PTXLAB_ROOT PTXLAB_NVCC PTXLAB_NVDISASM PTXLAB_CUOBJDUMP \
  PTXLAB_CACHE

number=0
faults=0
report() {  # ok|"not ok" NAME
  number=$((number + 1))
  [[ $1 == ok ]] || faults=$((faults + 1))
  printf '%s %d - %s\n' "$1" "$number" "$2"
}
# attempt NAME LOG COMMAND...: the command must succeed.
attempt() {
  local name=$1 log=$2
  shift 2
  if "$@" >"$log" 2>&1; then report ok "$name"; else
    report 'not ok' "$name"
    tail -n 20 "$log" | sed 's/^/#   /'
  fi
}
extract() {
  awk -v folder="$outside/project" -v prefix="$outside/prefix" '
    /^```/ && !inside {
      inside = 1; target = ""
      for (i = 2; i <= NF; ++i) if ($i ~ /^file=/) target = folder "/" substr($i, 6)
      if ($NF == "run") target = sprintf("%s/../run.%02d.sh", folder, ++runs)
      if ($NF == "output") {
        target = sprintf("%s/../run.%02d.out", folder, runs)
        printf "" > target
      }
      next
    }
    /^```/ { inside = 0; next }
    inside && target != "" { gsub(/PREFIX/, prefix); print > target }' "$root/docs/USING.md"
}
# try_script NAME SCRIPT: a test that its commands work, and one that the output shown is theirs.
try_script() {
  if ! command -v lit >/dev/null && grep -qw lit "$2"; then
    report ok "$1 # SKIP lit is not installed"
    return
  fi
  attempt "works: $1" "$outside/run.log" bash -euo pipefail "$2"
  [[ ! -f ${2%.sh}.out ]] ||
    attempt "prints what is shown: $1" "$outside/diff.log" diff "${2%.sh}.out" "$outside/run.log"
}
comes_with_it() {  # TOOL: the installed program uses the copy installed with it
  ptxlab doctor | grep -q "^ok *$1 .*$outside/prefix/lib/ptxlab/"
}
nothing_left() {
  make -C "$root" --no-print-directory uninstall PREFIX="$outside/prefix" &&
    [[ -z $(find "$outside/prefix" -type f) ]]
}

attempt 'make install' "$outside/install.log" \
  make -C "$root" --no-print-directory install PREFIX="$outside/prefix"
for tool in nvdisasm cuobjdump; do
  [[ ! -x $root/build/venv/bin/$tool ]] ||
    attempt "the installed program finds its $tool" "$outside/doctor.log" comes_with_it $tool
done
attempt 'the files and commands of docs/USING.md' "$outside/extract.log" extract
if ! compgen -G "$outside/run.*.sh" >/dev/null || ! compgen -G "$outside/project/*.cu" >/dev/null; then
  report 'not ok' 'docs/USING.md shows a kernel and at least one command'
fi
cd "$outside/project"
for script in "$outside"/run.*.sh; do
  [[ ! -f $script ]] || try_script "$(head -n 1 "$script")" "$script"
done
# The control: with every ordering taken out of the kernels, at least one command must fail.
for kernel in *.cu; do
  [[ -f $kernel ]] && sed -i -e 's/\bvolatile\b//g' -e 's/ld\.[a-z.]*\.\([usb]32\)/ld.global.\1/g' "$kernel"
done
failed=0
for script in "$outside"/run.*.sh; do
  [[ -f $script ]] || continue
  bash -euo pipefail "$script" >"$outside/run.log" 2>&1 || failed=$((failed + 1))
done
if [[ $failed -gt 0 ]]; then report ok 'control: a kernel that lost its wait is refused'; else
  report 'not ok' 'control: a kernel that lost its wait is refused'
fi
attempt 'make uninstall leaves nothing' "$outside/uninstall.log" nothing_left
printf '1..%d\n' "$number"
[[ $faults -eq 0 ]]
