# Made by ptxlab report. To draw it again: gnuplot fence_ladder_2of2.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'fence_ladder_2of2.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Cost of a fence, threads 32' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 9a46f547102a' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 10
set xrange [4:2229.1473214285716]
set yrange [-0.7:16.7]
set ytics ('cost/fence_acq_rel_cluster_after_store (blocks 132)' 16, 'cost/fence_sc_cluster_after_store (blocks 132)' 15, 'cost/fence_acq_rel_gpu_after_store (blocks 132)' 14, 'cost/fence_sc_gpu_after_store (blocks 1)' 13, 'cost/membar_gl_after_store (blocks 1)' 12, 'cost/fence_acq_rel_cluster_after_store (blocks 1)' 11, 'cost/fence_sc_cluster_after_store (blocks 1)' 10, 'cost/fence_acq_rel_gpu_after_store (blocks 1)' 9, 'cost/fence_sc_sys_idle' 8, 'cost/membar_sys_idle' 7, 'cost/fence_acq_rel_sys_idle' 6, 'cost/fence_sc_sys_after_store (blocks 1)' 5, 'cost/membar_sys_after_store (blocks 1)' 4, 'cost/fence_acq_rel_sys_after_store (blocks 1)' 3, 'cost/fence_acq_rel_sys_after_store (blocks 132)' 2, 'cost/membar_sys_after_store (blocks 132)' 1, 'cost/fence_sc_sys_after_store (blocks 132)' 0) scale 0 font ',11'
set xlabel 'latency (cycles, logarithmic)'
unset key
set grid noytics xtics mxtics
$rungs << EOD
16 581.9174107142858 582
15 581.9196428571429 582
14 581.9285714285716 582
13 583.6941964285716 584
12 583.7366071428572 584
11 583.7589285714287 584
10 583.7678571428572 584
9 583.7790178571429 584
8 1019.7946428571429 1020
7 1019.8928571428572 1020
6 1020.1250000000001 1020
5 1023.8125000000002 1024
4 1023.8794642857144 1024
3 1023.9910714285717 1024
2 1114.2165178571431 1114
1 1114.305803571429 1114
0 1114.5736607142858 1115
EOD
plot $rungs using 2:1:(4):2:($1-0.36):($1+0.36) with boxxyerror fillstyle solid noborder fillcolor rgb '#0072b2', \
  $rungs using 2:1:3 with labels left offset 0.6,0 font ',11'
