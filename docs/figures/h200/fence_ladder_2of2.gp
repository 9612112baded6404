# Made by ptxlab report. To draw it again: gnuplot fence_ladder_2of2.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'fence_ladder_2of2.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Cost of a fence, threads 32' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 4d27220dd3a8' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 10
set xrange [4:2235.2142857142862]
set yrange [-0.7:16.7]
set ytics ('cost/fence_sc_cluster_after_store (blocks 132)' 16, 'cost/fence_sc_gpu_after_store (blocks 132)' 15, 'cost/fence_acq_rel_cluster_after_store (blocks 132)' 14, 'cost/fence_sc_cluster_after_store (blocks 1)' 13, 'cost/fence_sc_gpu_after_store (blocks 1)' 12, 'cost/fence_acq_rel_cluster_after_store (blocks 1)' 11, 'cost/membar_gl_after_store (blocks 1)' 10, 'cost/fence_acq_rel_gpu_after_store (blocks 1)' 9, 'cost/membar_sys_idle' 8, 'cost/fence_acq_rel_sys_idle' 7, 'cost/fence_sc_sys_idle' 6, 'cost/fence_acq_rel_sys_after_store (blocks 1)' 5, 'cost/fence_sc_sys_after_store (blocks 1)' 4, 'cost/membar_sys_after_store (blocks 1)' 3, 'cost/membar_sys_after_store (blocks 132)' 2, 'cost/fence_acq_rel_sys_after_store (blocks 132)' 1, 'cost/fence_sc_sys_after_store (blocks 132)' 0) scale 0 font ',11'
set xlabel 'latency (cycles, logarithmic)'
unset key
set grid noytics xtics mxtics
$rungs << EOD
16 390.75446428571433 391
15 390.90625000000006 391
14 391.6584821428572 392
13 391.8950892857144 392
12 391.9040178571429 392
11 391.9151785714286 392
10 391.9151785714286 392
9 391.92633928571433 392
8 1020.4464285714287 1020
7 1020.4977678571431 1020
6 1020.5982142857144 1021
5 1024.4464285714287 1024
4 1024.4910714285716 1024
3 1024.4910714285716 1024
2 1117.008928571429 1117
1 1117.4084821428573 1117
0 1117.6071428571431 1118
EOD
plot $rungs using 2:1:(4):2:($1-0.36):($1+0.36) with boxxyerror fillstyle solid noborder fillcolor rgb '#0072b2', \
  $rungs using 2:1:3 with labels left offset 0.6,0 font ',11'
