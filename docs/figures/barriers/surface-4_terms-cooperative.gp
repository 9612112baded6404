# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-cooperative.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-cooperative.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of cooperative over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 0.3453 1.27 0x202020
0 1 0.2518 1.19 0x202020
0 2 0.2485 1.19 0x202020
0 3 0.2538 1.19 0x202020
0 4 0.2442 1.18 0x202020
0 5 0.2356 1.18 0x202020
1 0 0.3350 1.26 0x202020
1 1 0.2523 1.19 0x202020
1 2 0.2511 1.19 0x202020
1 3 0.2521 1.19 0x202020
1 4 0.2349 1.18 0x202020
1 5 0.2316 1.17 0x202020
2 0 0.3378 1.26 0x202020
2 1 0.2550 1.19 0x202020
2 2 0.2514 1.19 0x202020
2 3 0.2397 1.18 0x202020
2 4 0.2337 1.18 0x202020
2 5 0.2279 1.17 0x202020
3 0 0.4021 1.32 0x202020
3 1 0.3004 1.23 0x202020
3 2 0.2852 1.22 0x202020
3 3 0.2917 1.22 0x202020
3 4 0.2968 1.23 0x202020
3 5 0.2889 1.22 0x202020
4 0 0.4239 1.34 0x202020
4 1 0.3024 1.23 0x202020
4 2 0.3163 1.25 0x202020
4 3 0.3303 1.26 0x202020
4 4 0.3028 1.23 0x202020
4 5 0.2947 1.23 0x202020
5 0 0.4097 1.33 0x202020
5 1 0.3055 1.24 0x202020
5 2 0.2977 1.23 0x202020
5 3 0.2985 1.23 0x202020
5 4 0.2901 1.22 0x202020
5 5 0.2911 1.22 0x202020
6 0 0.3953 1.32 0x202020
6 1 0.3171 1.25 0x202020
6 2 0.3031 1.23 0x202020
6 3 0.3158 1.24 0x202020
6 4 0.2427 1.18 0x202020
6 5 0.2784 1.21 0x202020
7 0 0.2987 1.23 0x202020
7 1 0.2313 1.17 0x202020
7 2 0.1135 1.08 0x202020
7 3 0.1204 1.09 0x202020
7 4 0.1231 1.09 0x202020
7 5 0.2364 1.18 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
