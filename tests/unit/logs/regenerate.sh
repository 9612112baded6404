#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Rewrites the logs here with the nvcc, ptxas and cuobjdump on PATH. The tests state numbers of
# CUDA 13.0.88 with cuobjdump 13.2.78: after a run with other versions look at each difference.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
usage() { cuobjdump -res-usage "$1" | sed 's,^member .*/,member ,'; }

nvcc -arch=sm_90 -Xptxas -v -cubin calls.cu -o "$out/a.cubin" > whole.log 2>&1
usage "$out/a.cubin" > whole.usage
nvcc -arch=sm_90 -maxrregcount 32 -Xptxas -v -cubin calls.cu -o "$out/a.cubin" > capped.log 2>&1
usage "$out/a.cubin" > capped.usage
nvcc -arch=sm_90 -G -Xptxas -v,-warn-spills,-warn-lmem-usage -cubin calls.cu \
  -o "$out/a.cubin" > debug.log 2>&1
usage "$out/a.cubin" > debug.usage
nvcc -arch=sm_90 -rdc=true -Xptxas -v -cubin calls.cu -o "$out/r.cubin" > relocatable.log 2>&1
usage "$out/r.cubin" > relocatable.usage
nvlink -arch=sm_90 -v "$out/r.cubin" -o "$out/l.cubin" > linked.log 2>&1
usage "$out/l.cubin" > linked.usage
nvcc -arch=sm_75 -Xptxas -v -cubin calls.cu -o "$out/a.cubin" > turing.log 2>&1
usage "$out/a.cubin" > turing.usage

nvcc -arch=sm_90 -Xptxas -v -cubin limits.cu -o "$out/a.cubin" > bounds.log 2>&1
usage "$out/a.cubin" > bounds.usage
nvcc -arch=sm_90 -maxrregcount 16 -Xptxas -v,-warn-spills,-warn-lmem-usage -cubin limits.cu \
  -o "$out/a.cubin" > bounds_capped.log 2>&1
nvcc -arch=sm_90 -maxrregcount 300 -Xptxas -warn-spills,-warn-lmem-usage -cubin limits.cu \
  -o "$out/a.cubin" > warnings_only.log 2>&1

nvcc -gencode arch=compute_80,code=sm_80 -gencode 'arch=compute_90,code=[sm_90,compute_90]' \
  -maxrregcount 32 -Xptxas -v -c architectures.cu -o "$out/m.o" > architectures.log 2>&1
rm -f "$out/m.a"
ar rc "$out/m.a" "$out/m.o"
usage "$out/m.a" > architectures.usage

ptxas -v -arch=sm_75 textures.ptx -o "$out/t.cubin" > textures.log 2>&1
sed 's/mov.f32/movv.f32/' textures.ptx > "$out/bad.ptx"
(cd "$out" && ptxas -v -arch=sm_75 bad.ptx -o t.cubin) > failed.log 2>&1 || true
