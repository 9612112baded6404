# Made by ptxlab report. To draw it again: gnuplot surface-all_terms-wrapping.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-all_terms-wrapping.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of wrapping over that of mirrored, all terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 -0.1515 0.90 0x202020
0 1 -0.0925 0.94 0x202020
0 2 -0.1124 0.93 0x202020
0 3 -0.1189 0.92 0x202020
0 4 -0.1010 0.93 0x202020
0 5 -0.1513 0.90 0x202020
1 0 -0.2792 0.82 0x202020
1 1 -0.1149 0.92 0x202020
1 2 -0.1367 0.91 0x202020
1 3 -0.1330 0.91 0x202020
1 4 -0.1273 0.92 0x202020
1 5 -0.1597 0.90 0x202020
2 0 -0.3576 0.78 0x202020
2 1 -0.1352 0.91 0x202020
2 2 -0.1421 0.91 0x202020
2 3 -0.1417 0.91 0x202020
2 4 -0.1390 0.91 0x202020
2 5 -0.1718 0.89 0x202020
3 0 -0.4011 0.76 0x202020
3 1 -0.1486 0.90 0x202020
3 2 -0.1614 0.89 0x202020
3 3 -0.1640 0.89 0x202020
3 4 -0.1399 0.91 0x202020
3 5 -0.2245 0.86 0x202020
4 0 -0.4262 0.74 0x202020
4 1 -0.1550 0.90 0x202020
4 2 -0.1658 0.89 0x202020
4 3 -0.1629 0.89 0x202020
4 4 -0.1836 0.88 0x202020
4 5 -0.3401 0.79 0x202020
5 0 -0.4423 0.74 0x202020
5 1 -0.1653 0.89 0x202020
5 2 -0.1627 0.89 0x202020
5 3 -0.1904 0.88 0x202020
5 4 -0.2991 0.81 0x202020
6 0 -0.4549 0.73 0x202020
6 1 -0.1730 0.89 0x202020
6 2 -0.2074 0.87 0x202020
6 3 -0.3521 0.78 0x202020
6 4 -0.4142 0.75 0x202020
7 0 -0.3125 0.81 0x202020
7 1 -0.2011 0.87 0x202020
7 2 -0.3470 0.79 0x202020
7 3 -0.4568 0.73 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
