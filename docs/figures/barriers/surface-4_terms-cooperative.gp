# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-cooperative.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-cooperative.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of cooperative over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
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
0 0 0.3355 1.26 0x202020
0 1 0.2425 1.18 0x202020
0 2 0.2394 1.18 0x202020
0 3 0.2416 1.18 0x202020
0 4 0.2370 1.18 0x202020
0 5 0.2350 1.18 0x202020
1 0 0.3332 1.26 0x202020
1 1 0.2464 1.19 0x202020
1 2 0.2481 1.19 0x202020
1 3 0.2483 1.19 0x202020
1 4 0.2352 1.18 0x202020
1 5 0.2262 1.17 0x202020
2 0 0.3346 1.26 0x202020
2 1 0.2520 1.19 0x202020
2 2 0.2466 1.19 0x202020
2 3 0.2432 1.18 0x202020
2 4 0.2281 1.17 0x202020
2 5 0.2215 1.17 0x202020
3 0 0.4092 1.33 0x202020
3 1 0.2918 1.22 0x202020
3 2 0.2866 1.22 0x202020
3 3 0.2899 1.22 0x202020
3 4 0.2956 1.23 0x202020
3 5 0.2796 1.21 0x202020
4 0 0.4095 1.33 0x202020
4 1 0.3166 1.25 0x202020
4 2 0.3212 1.25 0x202020
4 3 0.3214 1.25 0x202020
4 4 0.3141 1.24 0x202020
4 5 0.3056 1.24 0x202020
5 0 0.4080 1.33 0x202020
5 1 0.3084 1.24 0x202020
5 2 0.3022 1.23 0x202020
5 3 0.2973 1.23 0x202020
5 4 0.2929 1.23 0x202020
5 5 0.2934 1.23 0x202020
6 0 0.4029 1.32 0x202020
6 1 0.3180 1.25 0x202020
6 2 0.3037 1.23 0x202020
6 3 0.3108 1.24 0x202020
6 4 0.2536 1.19 0x202020
6 5 0.2827 1.22 0x202020
7 0 0.3001 1.23 0x202020
7 1 0.2300 1.17 0x202020
7 2 0.1215 1.09 0x202020
7 3 0.1043 1.07 0x202020
7 4 0.1188 1.09 0x202020
7 5 0.2382 1.18 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
