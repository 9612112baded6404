# Made by ptxlab report. To draw it again: gnuplot fence_ladder_2of2.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'fence_ladder_2of2.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Cost of a fence, threads 32' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 5347002ffaad' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 10
set xrange [4:2225.7767857142862]
set yrange [-0.7:16.7]
set ytics ('cost/fence_acq_rel_gpu_after_store (blocks 132)' 16, 'cost/fence_sc_cluster_after_store (blocks 132)' 15, 'cost/membar_gl_after_store (blocks 132)' 14, 'cost/fence_acq_rel_cluster_after_store (blocks 1)' 13, 'cost/fence_acq_rel_gpu_after_store (blocks 1)' 12, 'cost/fence_sc_cluster_after_store (blocks 1)' 11, 'cost/membar_gl_after_store (blocks 1)' 10, 'cost/fence_sc_gpu_after_store (blocks 1)' 9, 'cost/membar_sys_idle' 8, 'cost/fence_acq_rel_sys_idle' 7, 'cost/fence_sc_sys_idle' 6, 'cost/fence_sc_sys_after_store (blocks 1)' 5, 'cost/fence_acq_rel_sys_after_store (blocks 1)' 4, 'cost/membar_sys_after_store (blocks 1)' 3, 'cost/membar_sys_after_store (blocks 132)' 2, 'cost/fence_acq_rel_sys_after_store (blocks 132)' 1, 'cost/fence_sc_sys_after_store (blocks 132)' 0) scale 0 font ',11'
set xlabel 'latency (cycles, logarithmic)'
unset key
set grid noytics xtics mxtics
$rungs << EOD
16 392.32142857142867 392
15 392.3504464285715 392
14 392.3549107142858 392
13 394.09375 394
12 394.1049107142858 394
11 394.1071428571429 394
10 394.11160714285717 394
9 394.1160714285715 394
8 1020.575892857143 1021
7 1020.5915178571431 1021
6 1020.7991071428573 1021
5 1024.5937500000002 1025
4 1024.716517857143 1025
3 1024.7500000000002 1025
2 1112.0736607142858 1112
1 1112.1919642857142 1112
0 1112.8883928571431 1113
EOD
plot $rungs using 2:1:(4):2:($1-0.36):($1+0.36) with boxxyerror fillstyle solid noborder fillcolor rgb '#0072b2', \
  $rungs using 2:1:3 with labels left offset 0.6,0 font ',11'
