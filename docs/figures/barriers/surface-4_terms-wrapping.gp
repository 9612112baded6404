# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-wrapping.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-wrapping.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of wrapping over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 0.0760 1.05 0x202020
0 1 0.0862 1.06 0x202020
0 2 0.0563 1.04 0x202020
0 3 0.0242 1.02 0x202020
0 4 0.0781 1.06 0x202020
0 5 -0.0460 0.97 0x202020
1 0 0.0884 1.06 0x202020
1 1 0.1010 1.07 0x202020
1 2 0.0914 1.07 0x202020
1 3 0.1033 1.07 0x202020
1 4 -0.1223 0.92 0x202020
1 5 0.1190 1.09 0x202020
2 0 0.0755 1.05 0x202020
2 1 0.0785 1.06 0x202020
2 2 0.0872 1.06 0x202020
2 3 -0.1483 0.90 0x202020
2 4 0.0753 1.05 0x202020
2 5 -0.0496 0.97 0x202020
3 0 -0.0349 0.98 0x202020
3 1 -0.0500 0.97 0x202020
3 2 -0.0598 0.96 0x202020
3 3 -0.0535 0.96 0x202020
3 4 0.0114 1.01 0x202020
3 5 0.0258 1.02 0x202020
4 0 -0.0607 0.96 0x202020
4 1 -0.0640 0.96 0x202020
4 2 -0.0878 0.94 0x202020
4 3 -0.0224 0.98 0x202020
4 4 -0.0228 0.98 0x202020
4 5 0.0290 1.02 0x202020
5 0 -0.0475 0.97 0x202020
5 1 -0.0525 0.96 0x202020
5 2 -0.0169 0.99 0x202020
5 3 -0.0053 1.00 0x202020
5 4 0.0005 1.00 0x202020
5 5 0.0016 1.00 0x202020
6 0 0.0321 1.02 0x202020
6 1 0.0516 1.04 0x202020
6 2 0.0077 1.01 0x202020
6 3 0.0717 1.05 0x202020
6 4 0.0778 1.06 0x202020
6 5 0.1138 1.08 0x202020
7 0 0.1711 1.13 0x202020
7 1 0.1688 1.12 0x202020
7 2 0.1785 1.13 0x202020
7 3 0.1894 1.14 0x202020
7 4 0.2171 1.16 0x202020
7 5 0.1877 1.14 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
