# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-cooperative.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-cooperative.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of cooperative over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
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
0 0 0.2942 1.23 0x202020
0 1 0.2123 1.16 0x202020
0 2 0.2006 1.15 0x202020
0 3 0.2012 1.15 0x202020
0 4 0.1972 1.15 0x202020
0 5 0.1941 1.14 0x202020
1 0 0.3099 1.24 0x202020
1 1 0.2228 1.17 0x202020
1 2 0.2119 1.16 0x202020
1 3 0.2150 1.16 0x202020
1 4 0.2110 1.16 0x202020
1 5 0.2102 1.16 0x202020
2 0 0.3107 1.24 0x202020
2 1 0.2221 1.17 0x202020
2 2 0.2139 1.16 0x202020
2 3 0.2211 1.17 0x202020
2 4 0.2149 1.16 0x202020
2 5 0.2006 1.15 0x202020
3 0 0.3803 1.30 0x202020
3 1 0.2726 1.21 0x202020
3 2 0.2586 1.20 0x202020
3 3 0.2613 1.20 0x202020
3 4 0.2723 1.21 0x202020
3 5 0.2538 1.19 0x202020
4 0 0.3687 1.29 0x202020
4 1 0.2383 1.18 0x202020
4 2 0.2536 1.19 0x202020
4 3 0.2514 1.19 0x202020
4 4 0.2436 1.18 0x202020
4 5 0.2556 1.19 0x202020
5 0 0.3957 1.32 0x202020
5 1 0.2828 1.22 0x202020
5 2 0.2602 1.20 0x202020
5 3 0.2531 1.19 0x202020
5 4 0.2627 1.20 0x202020
5 5 0.2825 1.22 0x202020
6 0 0.3867 1.31 0x202020
6 1 0.2936 1.23 0x202020
6 2 0.2662 1.20 0x202020
6 3 0.2921 1.22 0x202020
6 4 0.2250 1.17 0x202020
6 5 0.2704 1.21 0x202020
7 0 0.2580 1.20 0x202020
7 1 0.2087 1.16 0x202020
7 2 0.1159 1.08 0x202020
7 3 0.0972 1.07 0x202020
7 4 0.1005 1.07 0x202020
7 5 0.2154 1.16 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
