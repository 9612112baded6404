# Made by ptxlab report. To draw it again: gnuplot fence_ladder_1of2.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'fence_ladder_1of2.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Cost of a fence, threads 32' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 10
set xrange [4:2239.544642857143]
set yrange [-0.7:15.7]
set ytics ('cost/fence_sc_cta_idle' 15, 'cost/membar_cta_idle' 14, 'cost/fence_acq_rel_cta_idle' 13, 'cost/fence_sc_cta_after_store (blocks 1)' 12, 'cost/fence_sc_cta_after_store (blocks 132)' 11, 'cost/membar_cta_after_store (blocks 1)' 10, 'cost/membar_cta_after_store (blocks 132)' 9, 'cost/fence_acq_rel_cta_after_store (blocks 1)' 8, 'cost/fence_acq_rel_cta_after_store (blocks 132)' 7, 'cost/fence_acq_rel_cluster_idle' 6, 'cost/fence_acq_rel_gpu_idle' 5, 'cost/fence_sc_cluster_idle' 4, 'cost/fence_sc_gpu_idle' 3, 'cost/membar_gl_idle' 2, 'cost/membar_gl_after_store (blocks 132)' 1, 'cost/fence_acq_rel_gpu_after_store (blocks 132)' 0) scale 0 font ',11'
set xlabel 'latency (cycles, logarithmic)'
unset key
set grid noytics xtics mxtics
$rungs << EOD
15 8.002232142857144 8.0
14 8.002232142857144 8.0
13 9.002232142857144 9.0
12 15.001116071428575 15.0
11 15.001116071428575 15.0
10 15.001116071428575 15.0
9 15.001116071428575 15.0
8 16.001116071428573 16.0
7 16.001116071428573 16.0
6 264.73660714285717 265
5 264.73660714285717 265
4 264.73660714285717 265
3 264.73660714285717 265
2 264.73660714285717 265
1 574.3459821428573 574
0 574.4107142857144 574
EOD
plot $rungs using 2:1:(4):2:($1-0.36):($1+0.36) with boxxyerror fillstyle solid noborder fillcolor rgb '#0072b2', \
  $rungs using 2:1:3 with labels left offset 0.6,0 font ',11'
