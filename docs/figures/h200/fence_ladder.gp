# Made by ptxlab report. To draw it again: gnuplot fence_ladder.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'fence_ladder.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Cost of a fence, threads 32' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 44d19345e09c+' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 10
set xrange [4:2050.2723214285716]
set yrange [-0.7:21.7]
set ytics ('cost/fence_sc_cta_idle' 21, 'cost/membar_cta_idle' 20, 'cost/fence_acq_rel_cta_idle' 19, 'cost/fence_sc_cta_after_store' 18, 'cost/membar_cta_after_store' 17, 'cost/fence_acq_rel_cta_after_store' 16, 'cost/fence_acq_rel_cluster_idle' 15, 'cost/fence_acq_rel_gpu_idle' 14, 'cost/fence_sc_cluster_idle' 13, 'cost/fence_sc_gpu_idle' 12, 'cost/membar_gl_idle' 11, 'cost/fence_acq_rel_cluster_after_store' 10, 'cost/membar_gl_after_store' 9, 'cost/fence_sc_cluster_after_store' 8, 'cost/fence_sc_gpu_after_store' 7, 'cost/fence_acq_rel_gpu_after_store' 6, 'cost/fence_sc_sys_idle' 5, 'cost/fence_acq_rel_sys_idle' 4, 'cost/membar_sys_idle' 3, 'cost/membar_sys_after_store' 2, 'cost/fence_sc_sys_after_store' 1, 'cost/fence_acq_rel_sys_after_store' 0) scale 0 font ',9'
set xlabel 'latency (cycles, logarithmic)'
unset key
set grid noytics xtics mxtics
$rungs << EOD
21 8.035714285714286 8.0
20 8.035714285714286 8.0
19 9.035714285714288 9.0
18 15.017857142857144 15.0
17 15.017857142857144 15.0
16 16.017857142857146 16.0
15 264.73660714285717 265
14 264.73660714285717 265
13 264.73660714285717 265
12 264.73660714285717 265
11 264.73660714285717 265
10 391.96875000000006 392
9 391.98883928571433 392
8 391.9955357142858 392
7 392.00223214285717 392
6 392.01562500000006 392
5 1021.0468750000001 1021
4 1021.0625000000002 1021
3 1021.1450892857144 1021
2 1024.982142857143 1025
1 1025.0892857142858 1025
0 1025.1361607142858 1025
EOD
plot $rungs using 2:1:(4):2:($1-0.36):($1+0.36) with boxxyerror fillstyle solid noborder fillcolor rgb '#0072b2', \
  $rungs using 2:1:3 with labels left offset 0.6,0 font ',9'
