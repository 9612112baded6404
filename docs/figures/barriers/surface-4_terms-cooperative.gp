# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-cooperative.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-cooperative.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of cooperative over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 0.2550 1.19 0x202020
0 1 0.2708 1.21 0x202020
0 2 0.2537 1.19 0x202020
0 3 0.2537 1.19 0x202020
0 4 0.2699 1.21 0x202020
0 5 0.2586 1.20 0x202020
1 0 0.2181 1.16 0x202020
1 1 0.2297 1.17 0x202020
1 2 0.2109 1.16 0x202020
1 3 0.2042 1.15 0x202020
1 4 0.2246 1.17 0x202020
1 5 0.1939 1.14 0x202020
2 0 0.2067 1.15 0x202020
2 1 0.1933 1.14 0x202020
2 2 0.1942 1.14 0x202020
2 3 0.2127 1.16 0x202020
2 4 0.1717 1.13 0x202020
2 5 0.1815 1.13 0x202020
3 0 0.2033 1.15 0x202020
3 1 0.1991 1.15 0x202020
3 2 0.1836 1.14 0x202020
3 3 0.1791 1.13 0x202020
3 4 0.2059 1.15 0x202020
3 5 0.1856 1.14 0x202020
4 0 0.1707 1.13 0x202020
4 1 0.1478 1.11 0x202020
4 2 0.1332 1.10 0x202020
4 3 0.1651 1.12 0x202020
4 4 0.1407 1.10 0x202020
4 5 0.1605 1.12 0x202020
5 0 0.1699 1.12 0x202020
5 1 0.1642 1.12 0x202020
5 2 0.1831 1.14 0x202020
5 3 0.1826 1.13 0x202020
5 4 0.1665 1.12 0x202020
5 5 0.1590 1.12 0x202020
6 0 0.1609 1.12 0x202020
6 1 0.1448 1.11 0x202020
6 2 0.1203 1.09 0x202020
6 3 0.1650 1.12 0x202020
6 4 0.1471 1.11 0x202020
6 5 0.1280 1.09 0x202020
7 0 0.0351 1.02 0x202020
7 1 -0.0267 0.98 0x202020
7 2 0.0006 1.00 0x202020
7 3 -0.0359 0.98 0x202020
7 4 0.0066 1.00 0x202020
7 5 0.1629 1.12 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
