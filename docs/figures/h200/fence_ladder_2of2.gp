# Made by ptxlab report. To draw it again: gnuplot fence_ladder_2of2.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'fence_ladder_2of2.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Cost of a fence, threads 32' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 10
set xrange [4:2231.513392857143]
set yrange [-0.7:16.7]
set ytics ('cost/fence_sc_gpu_after_store (blocks 132)' 16, 'cost/fence_sc_cluster_after_store (blocks 132)' 15, 'cost/membar_gl_after_store (blocks 132)' 14, 'cost/fence_acq_rel_gpu_after_store (blocks 1)' 13, 'cost/fence_sc_cluster_after_store (blocks 1)' 12, 'cost/fence_acq_rel_cluster_after_store (blocks 1)' 11, 'cost/fence_sc_gpu_after_store (blocks 1)' 10, 'cost/membar_gl_after_store (blocks 1)' 9, 'cost/fence_acq_rel_sys_idle' 8, 'cost/membar_sys_idle' 7, 'cost/fence_sc_sys_idle' 6, 'cost/membar_sys_after_store (blocks 1)' 5, 'cost/fence_acq_rel_sys_after_store (blocks 1)' 4, 'cost/fence_sc_sys_after_store (blocks 1)' 3, 'cost/membar_sys_after_store (blocks 132)' 2, 'cost/fence_sc_sys_after_store (blocks 132)' 1, 'cost/fence_acq_rel_sys_after_store (blocks 132)' 0) scale 0 font ',11'
set xlabel 'latency (cycles, logarithmic)'
unset key
set grid noytics xtics mxtics
$rungs << EOD
16 581.9263392857144 582
15 581.9464285714287 582
14 581.9464285714287 582
13 583.7812500000001 584
12 583.7812500000002 584
11 583.7834821428572 584
10 583.7924107142858 584
9 583.8169642857144 584
8 1019.8794642857144 1020
7 1019.9419642857144 1020
6 1020.1540178571429 1020
5 1023.9799107142859 1024
4 1023.9977678571429 1024
3 1024.0111607142858 1024
2 1114.2566964285716 1114
1 1115.732142857143 1116
0 1115.7566964285716 1116
EOD
plot $rungs using 2:1:(4):2:($1-0.36):($1+0.36) with boxxyerror fillstyle solid noborder fillcolor rgb '#0072b2', \
  $rungs using 2:1:3 with labels left offset 0.6,0 font ',11'
