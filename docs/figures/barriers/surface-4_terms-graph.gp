# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-graph.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-graph.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of graph over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab cf5ced7af724' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('2' 0, '4' 1, '8' 2, '16' 3, '32' 4, '64' 5, '132' 6, '264' 7) scale 0
set ytics ('32' 0, '64' 1, '128' 2, '256' 3, '512' 4, '1024' 5) scale 0
set xrange [-0.5:7.5]
set yrange [-0.5:5.5]
set xlabel 'blocks'
set ylabel 'threads per block'
set palette defined (-2 '#b35806', -1 '#fdb863', 0 '#f7f7f7', 1 '#92c5de', 2 '#2166ac')
set cbrange [-2:2]
set cbtics ('1/4' -2, '1/2' -1, '1' 0, '2' 1, '4' 2)
set cblabel 'ratio of times'
unset grid
unset key
set border 0
$map << EOD
0 0 0.3808 1.30 0x202020
0 1 0.3882 1.31 0x202020
0 2 0.3717 1.29 0x202020
0 3 0.3639 1.29 0x202020
0 4 0.3385 1.26 0x202020
0 5 0.2758 1.21 0x202020
1 0 0.3844 1.31 0x202020
1 1 0.3914 1.31 0x202020
1 2 0.3800 1.30 0x202020
1 3 0.3594 1.28 0x202020
1 4 0.3262 1.25 0x202020
1 5 0.2977 1.23 0x202020
2 0 0.3945 1.31 0x202020
2 1 0.3979 1.32 0x202020
2 2 0.3933 1.31 0x202020
2 3 0.3526 1.28 0x202020
2 4 0.3491 1.27 0x202020
2 5 0.3307 1.26 0x202020
3 0 0.3998 1.32 0x202020
3 1 0.3814 1.30 0x202020
3 2 0.3659 1.29 0x202020
3 3 0.3368 1.26 0x202020
3 4 0.3251 1.25 0x202020
3 5 0.2848 1.22 0x202020
4 0 0.4200 1.34 0x202020
4 1 0.3776 1.30 0x202020
4 2 0.3685 1.29 0x202020
4 3 0.3689 1.29 0x202020
4 4 0.3118 1.24 0x202020
4 5 0.2689 1.20 0x202020
5 0 0.3737 1.30 0x202020
5 1 0.3760 1.30 0x202020
5 2 0.3691 1.29 0x202020
5 3 0.3298 1.26 0x202020
5 4 0.3270 1.25 0x202020
5 5 0.2724 1.21 0x202020
6 0 0.3434 1.27 0x202020
6 1 0.3530 1.28 0x202020
6 2 0.3531 1.28 0x202020
6 3 0.3221 1.25 0x202020
6 4 0.2818 1.22 0x202020
6 5 0.2921 1.22 0x202020
7 0 0.2657 1.20 0x202020
7 1 0.2915 1.22 0x202020
7 2 0.2197 1.16 0x202020
7 3 0.2070 1.15 0x202020
7 4 0.1949 1.14 0x202020
7 5 0.2572 1.20 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
