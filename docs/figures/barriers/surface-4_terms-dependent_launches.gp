# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-dependent_launches.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-dependent_launches.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of dependent launches over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 -0.0335 0.98 0x202020
0 1 -0.0152 0.99 0x202020
0 2 -0.0372 0.97 0x202020
0 3 -0.0429 0.97 0x202020
0 4 -0.0353 0.98 0x202020
0 5 -0.0182 0.99 0x202020
1 0 0.0040 1.00 0x202020
1 1 0.0151 1.01 0x202020
1 2 0.0035 1.00 0x202020
1 3 0.0133 1.01 0x202020
1 4 0.0112 1.01 0x202020
1 5 -0.0135 0.99 0x202020
2 0 0.0198 1.01 0x202020
2 1 0.0176 1.01 0x202020
2 2 0.0196 1.01 0x202020
2 3 0.0331 1.02 0x202020
2 4 0.0116 1.01 0x202020
2 5 -0.0187 0.99 0x202020
3 0 -0.1401 0.91 0x202020
3 1 -0.1219 0.92 0x202020
3 2 -0.1176 0.92 0x202020
3 3 -0.1123 0.93 0x202020
3 4 -0.0898 0.94 0x202020
3 5 -0.1291 0.91 0x202020
4 0 -0.1438 0.91 0x202020
4 1 -0.1128 0.92 0x202020
4 2 -0.1208 0.92 0x202020
4 3 -0.0775 0.95 0x202020
4 4 -0.1120 0.93 0x202020
4 5 -0.1178 0.92 0x202020
5 0 -0.0894 0.94 0x202020
5 1 -0.0380 0.97 0x202020
5 2 -0.0239 0.98 0x202020
5 3 0.0074 1.01 0x202020
5 4 -0.0221 0.98 0x202020
5 5 0.1712 1.13 0x202020
6 0 -0.0299 0.98 0x202020
6 1 0.0408 1.03 0x202020
6 2 0.0150 1.01 0x202020
6 3 0.0923 1.07 0x202020
6 4 0.1551 1.11 0x202020
6 5 0.0331 1.02 0x202020
7 0 -0.1077 0.93 0x202020
7 1 -0.1009 0.93 0x202020
7 2 -0.0738 0.95 0x202020
7 3 -0.0949 0.94 0x202020
7 4 0.0588 1.04 0x202020
7 5 0.0011 1.00 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
