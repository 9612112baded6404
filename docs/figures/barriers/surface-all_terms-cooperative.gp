# Made by ptxlab report. To draw it again: gnuplot surface-all_terms-cooperative.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-all_terms-cooperative.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of cooperative over that of mirrored, all terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 -0.0855 0.94 0x202020
0 1 -0.0572 0.96 0x202020
0 2 -0.1014 0.93 0x202020
0 3 -0.1211 0.92 0x202020
0 4 -0.0807 0.95 0x202020
0 5 -0.1596 0.90 0x202020
1 0 -0.2234 0.86 0x202020
1 1 -0.0879 0.94 0x202020
1 2 -0.1388 0.91 0x202020
1 3 -0.1105 0.93 0x202020
1 4 -0.0997 0.93 0x202020
1 5 -0.1687 0.89 0x202020
2 0 -0.3260 0.80 0x202020
2 1 -0.1187 0.92 0x202020
2 2 -0.1339 0.91 0x202020
2 3 -0.1257 0.92 0x202020
2 4 -0.1238 0.92 0x202020
2 5 -0.1825 0.88 0x202020
3 0 -0.3812 0.77 0x202020
3 1 -0.1373 0.91 0x202020
3 2 -0.1570 0.90 0x202020
3 3 -0.1580 0.90 0x202020
3 4 -0.1385 0.91 0x202020
3 5 -0.2342 0.85 0x202020
4 0 -0.4143 0.75 0x202020
4 1 -0.1495 0.90 0x202020
4 2 -0.1614 0.89 0x202020
4 3 -0.1606 0.89 0x202020
4 4 -0.1725 0.89 0x202020
4 5 -0.3506 0.78 0x202020
5 0 -0.4387 0.74 0x202020
5 1 -0.1551 0.90 0x202020
5 2 -0.1573 0.90 0x202020
5 3 -0.1882 0.88 0x202020
5 4 -0.2870 0.82 0x202020
6 0 -0.4528 0.73 0x202020
6 1 -0.1663 0.89 0x202020
6 2 -0.2059 0.87 0x202020
6 3 -0.3514 0.78 0x202020
6 4 -0.3972 0.76 0x202020
7 0 -0.3097 0.81 0x202020
7 1 -0.1982 0.87 0x202020
7 2 -0.3474 0.79 0x202020
7 3 -0.4310 0.74 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
