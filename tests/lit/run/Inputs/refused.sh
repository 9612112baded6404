# Calls that `ptxlab run` refuses, each with one line; the last with three.
one() { $REFUSED 1 $PTXLAB run "$@" || exit 1; }
g='--device cpu --grid 1 --block 32'
weigh() { one kernels.cu:weigh --device cpu "$@"; }
out='--arg buf:i32:32:zero'
one kernels.cu:sxapy $g
one kernels.cu $g
one kernels.cu:twice $g
one missing.cu $g
one missing.ptx:k $g
one empty.cu $g
one refused.sh $g
one narrow.ptx $g --arg u32:0
one kernels.cu:saxpy $g --arg f32:1
weigh --grid 1 --block 32
one kernels.cu:saxpy $g --arg f64:2 --arg buf:f32:8:zero --arg buf:f32:8:zero --arg i32:8
one kernels.cu:saxpy $g --arg f32:2 --arg hex:00 --arg buf:f32:8:zero --arg i32:8
one kernels.cu:saxpy $g --arg f32:x
one kernels.cu:saxpy $g --arg float:1
one kernels.cu:bump $g --arg addr:totl
one kernels.cu:bump $g --arg addr:total --set totl=u32:0
one kernels.cu:bump $g --arg addr:total --set total=u64:0
one kernels.cu:bump $g --arg addr:total --set total
weigh --grid 0 --block 32 $out
weigh --grid 1,65536 --block 32 $out
weigh --grid 1 --block 0 $out
weigh --grid 1 --block 1025 $out
weigh --grid 1,x --block 32 $out
weigh --grid 1 --block 4294967296 $out
weigh --grid 1 --block 32 --shared 300000 $out
weigh --grid 1 --block 32 --arg buf:i32:99999999999:zero
one copies.ptx $g --arg buf:u32:1:zero:name=x --arg buf:u32:1:zero:name=x --arg u32:1
weigh --grid 1 --block 32 $out --out 1
weigh --grid 1 --block 32 $out --out aarg0
weigh --grid 1 --block 32 $out --out 0=/nowhere/x
weigh --grid 1 --block 32 $out --compare 0
weigh --grid 1 --block 32 $out --compare '0=2*'
weigh --grid 1 --block 32 $out --compare 0=file:nowhere.bin
weigh --grid 1 --block 32 $out --policy fast
weigh --grid 1 --block 32 $out --policy trace:nowhere.trace
weigh --grid 1 --block 32 $out --policy its --repeat 3
weigh --grid 1 --block 32 $out --report mixx
weigh --grid 1 --block 32 $out --resident x
weigh --grid 1 --block 32 $out --resident 0
weigh --grid 2 --block 32 $out --cooperative --resident 1
one kernels.cu:weigh --device cuda --grid 1 --block 32 $out --policy lockstep
$REFUSED 3 $PTXLAB run lacks.ptx $g --arg u64:0
