# Made by ptxlab report. To draw it again: gnuplot fence_ladder_2of2.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'fence_ladder_2of2.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Cost of a fence, threads 32' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab cf5ced7af724' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 10
set xrange [4:2238.6116071428573]
set yrange [-0.7:16.7]
set ytics ('cost/membar_gl_after_store (blocks 132)' 16, 'cost/fence_acq_rel_cluster_after_store (blocks 132)' 15, 'cost/fence_acq_rel_gpu_after_store (blocks 132)' 14, 'cost/membar_gl_after_store (blocks 1)' 13, 'cost/fence_sc_cluster_after_store (blocks 1)' 12, 'cost/fence_sc_gpu_after_store (blocks 1)' 11, 'cost/fence_acq_rel_cluster_after_store (blocks 1)' 10, 'cost/fence_acq_rel_gpu_after_store (blocks 1)' 9, 'cost/fence_acq_rel_sys_idle' 8, 'cost/membar_sys_idle' 7, 'cost/fence_sc_sys_idle' 6, 'cost/fence_sc_sys_after_store (blocks 1)' 5, 'cost/fence_acq_rel_sys_after_store (blocks 1)' 4, 'cost/membar_sys_after_store (blocks 1)' 3, 'cost/fence_acq_rel_sys_after_store (blocks 132)' 2, 'cost/membar_sys_after_store (blocks 132)' 1, 'cost/fence_sc_sys_after_store (blocks 132)' 0) scale 0 font ',11'
set xlabel 'latency (cycles, logarithmic)'
unset key
set grid noytics xtics mxtics
$rungs << EOD
16 581.7410714285714 582
15 581.7968750000001 582
14 581.9933035714287 582
13 583.4553571428572 583
12 583.4687500000001 583
11 583.53125 584
10 583.5401785714287 584
9 583.6316964285716 584
8 1019.3660714285716 1019
7 1019.3950892857144 1019
6 1019.4799107142858 1019
5 1023.3549107142858 1023
4 1023.4196428571429 1023
3 1023.4308035714287 1023
2 1118.7633928571431 1119
1 1118.8236607142858 1119
0 1119.3058035714287 1119
EOD
plot $rungs using 2:1:(4):2:($1-0.36):($1+0.36) with boxxyerror fillstyle solid noborder fillcolor rgb '#0072b2', \
  $rungs using 2:1:3 with labels left offset 0.6,0 font ',11'
