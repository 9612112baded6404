# Made by ptxlab report. To draw it again: gnuplot fence_ladder_2of2.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'fence_ladder_2of2.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Cost of a fence, threads 32' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 10
set xrange [4:2239.544642857143]
set yrange [-0.7:16.7]
set ytics ('cost/fence_sc_cluster_after_store (blocks 132)' 16, 'cost/fence_acq_rel_cluster_after_store (blocks 132)' 15, 'cost/fence_sc_gpu_after_store (blocks 132)' 14, 'cost/fence_acq_rel_cluster_after_store (blocks 1)' 13, 'cost/membar_gl_after_store (blocks 1)' 12, 'cost/fence_sc_cluster_after_store (blocks 1)' 11, 'cost/fence_acq_rel_gpu_after_store (blocks 1)' 10, 'cost/fence_sc_gpu_after_store (blocks 1)' 9, 'cost/membar_sys_idle' 8, 'cost/fence_acq_rel_sys_idle' 7, 'cost/fence_sc_sys_idle' 6, 'cost/fence_sc_sys_after_store (blocks 1)' 5, 'cost/membar_sys_after_store (blocks 1)' 4, 'cost/fence_acq_rel_sys_after_store (blocks 1)' 3, 'cost/fence_acq_rel_sys_after_store (blocks 132)' 2, 'cost/fence_sc_sys_after_store (blocks 132)' 1, 'cost/membar_sys_after_store (blocks 132)' 0) scale 0 font ',11'
set xlabel 'latency (cycles, logarithmic)'
unset key
set grid noytics xtics mxtics
$rungs << EOD
16 574.4375 574
15 574.4375000000001 574
14 574.4799107142858 574
13 576.109375 576
12 576.1183035714287 576
11 576.1294642857144 576
10 576.1473214285716 576
9 576.1651785714286 576
8 1034.2946428571431 1034
7 1034.3013392857142 1034
6 1034.3526785714287 1034
5 1038.2790178571431 1038
4 1038.299107142857 1038
3 1038.4955357142858 1038
2 1119.2321428571431 1119
1 1119.5625 1120
0 1119.7723214285716 1120
EOD
plot $rungs using 2:1:(4):2:($1-0.36):($1+0.36) with boxxyerror fillstyle solid noborder fillcolor rgb '#0072b2', \
  $rungs using 2:1:3 with labels left offset 0.6,0 font ',11'
