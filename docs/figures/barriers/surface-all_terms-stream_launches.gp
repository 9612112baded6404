# Made by ptxlab report. To draw it again: gnuplot surface-all_terms-stream_launches.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-all_terms-stream_launches.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of stream launches over that of mirrored, all terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 9a46f547102a' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
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
0 0 0.2524 1.19 0x202020
0 1 0.1689 1.12 0x202020
0 2 0.0272 1.02 0x202020
0 3 -0.0603 0.96 0x202020
0 4 -0.0882 0.94 0x202020
0 5 -0.1797 0.88 0x202020
1 0 -0.0343 0.98 0x202020
1 1 0.0254 1.02 0x202020
1 2 -0.0584 0.96 0x202020
1 3 -0.1061 0.93 0x202020
1 4 -0.1199 0.92 0x202020
1 5 -0.1928 0.87 0x202020
2 0 -0.2162 0.86 0x202020
2 1 -0.0683 0.95 0x202020
2 2 -0.1095 0.93 0x202020
2 3 -0.1313 0.91 0x202020
2 4 -0.1387 0.91 0x202020
2 5 -0.2091 0.87 0x202020
3 0 -0.3298 0.80 0x202020
3 1 -0.1138 0.92 0x202020
3 2 -0.1509 0.90 0x202020
3 3 -0.1651 0.89 0x202020
3 4 -0.1426 0.91 0x202020
3 5 -0.2625 0.83 0x202020
4 0 -0.3966 0.76 0x202020
4 1 -0.1456 0.90 0x202020
4 2 -0.1682 0.89 0x202020
4 3 -0.1707 0.89 0x202020
4 4 -0.1909 0.88 0x202020
4 5 -0.3774 0.77 0x202020
5 0 -0.4349 0.74 0x202020
5 1 -0.1669 0.89 0x202020
5 2 -0.1708 0.89 0x202020
5 3 -0.2022 0.87 0x202020
5 4 -0.3062 0.81 0x202020
6 0 -0.4605 0.73 0x202020
6 1 -0.1810 0.88 0x202020
6 2 -0.2185 0.86 0x202020
6 3 -0.3621 0.78 0x202020
6 4 -0.4217 0.75 0x202020
7 0 -0.3234 0.80 0x202020
7 1 -0.2111 0.86 0x202020
7 2 -0.3469 0.79 0x202020
7 3 -0.4615 0.73 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
