# Made by ptxlab report. To draw it again: gnuplot fence_ladder_2of2.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'fence_ladder_2of2.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Cost of a fence, threads 32' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab da74e9461117' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 10
set xrange [4:2246.839285714286]
set yrange [-0.7:16.7]
set ytics ('cost/fence_sc_gpu_after_store (blocks 132)' 16, 'cost/membar_gl_after_store (blocks 132)' 15, 'cost/fence_sc_cluster_after_store (blocks 132)' 14, 'cost/membar_gl_after_store (blocks 1)' 13, 'cost/fence_sc_gpu_after_store (blocks 1)' 12, 'cost/fence_sc_cluster_after_store (blocks 1)' 11, 'cost/fence_acq_rel_gpu_after_store (blocks 1)' 10, 'cost/fence_acq_rel_cluster_after_store (blocks 1)' 9, 'cost/fence_sc_sys_idle' 8, 'cost/fence_acq_rel_sys_idle' 7, 'cost/membar_sys_idle' 6, 'cost/membar_sys_after_store (blocks 1)' 5, 'cost/fence_sc_sys_after_store (blocks 1)' 4, 'cost/fence_acq_rel_sys_after_store (blocks 1)' 3, 'cost/fence_sc_sys_after_store (blocks 132)' 2, 'cost/fence_acq_rel_sys_after_store (blocks 132)' 1, 'cost/membar_sys_after_store (blocks 132)' 0) scale 0 font ',11'
set xlabel 'latency (cycles, logarithmic)'
unset key
set grid noytics xtics mxtics
$rungs << EOD
16 390.0089285714286 390
15 390.0290178571429 390
14 390.0401785714286 390
13 392.03794642857144 392
12 392.0424107142858 392
11 392.06026785714295 392
10 392.0691964285715 392
9 392.0736607142858 392
8 1021.2544642857144 1021
7 1021.3325892857146 1021
6 1021.3660714285716 1021
5 1025.2343750000002 1025
4 1025.310267857143 1025
3 1025.5022321428573 1026
2 1121.9531250000002 1122
1 1122.3370535714287 1122
0 1123.419642857143 1123
EOD
plot $rungs using 2:1:(4):2:($1-0.36):($1+0.36) with boxxyerror fillstyle solid noborder fillcolor rgb '#0072b2', \
  $rungs using 2:1:3 with labels left offset 0.6,0 font ',11'
