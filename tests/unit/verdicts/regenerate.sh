#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Rewrites the builds of loops.cu here with the nvcc, ptxas, nvdisasm and cuobjdump on PATH, as
# analysis/toolchain builds them. The tests state what CUDA 13.0.88 with nvdisasm 13.2.78 did: after
# a run with other versions look at each difference.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

nvcc -arch=sm_90 -lineinfo -ptx loops.cu -o loops.ptx
nvcc -arch=sm_90 -G -ptx loops.cu -o loops.debug.ptx
ptxas -arch=sm_90 -v -lineinfo loops.ptx -o "$out/loops.cubin" 2> loops.log
nvdisasm -json "$out/loops.cubin" > loops.json
nvdisasm -g -gp -c "$out/loops.cubin" > loops.sass
cuobjdump -res-usage "$out/loops.cubin" | sed 's,\(Fatbin\|File\) .*/,\1 ,' > loops.usage
sed -i "s,\"$PWD/,\"," loops.ptx loops.debug.ptx loops.sass
sed -i '/^\t\.section\t\.debug_/,$d' loops.debug.ptx
