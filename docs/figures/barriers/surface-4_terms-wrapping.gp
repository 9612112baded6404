# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-wrapping.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-wrapping.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of wrapping over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 0.0876 1.06 0x202020
0 1 0.0964 1.07 0x202020
0 2 0.0945 1.07 0x202020
0 3 0.0994 1.07 0x202020
0 4 0.0967 1.07 0x202020
0 5 -0.0562 0.96 0x202020
1 0 0.0929 1.07 0x202020
1 1 0.0940 1.07 0x202020
1 2 0.0991 1.07 0x202020
1 3 0.1043 1.07 0x202020
1 4 -0.0550 0.96 0x202020
1 5 0.0560 1.04 0x202020
2 0 0.0961 1.07 0x202020
2 1 0.0971 1.07 0x202020
2 2 0.1054 1.08 0x202020
2 3 -0.0563 0.96 0x202020
2 4 0.0730 1.05 0x202020
2 5 -0.0490 0.97 0x202020
3 0 0.0898 1.06 0x202020
3 1 0.0913 1.07 0x202020
3 2 -0.0094 0.99 0x202020
3 3 0.0684 1.05 0x202020
3 4 -0.0064 1.00 0x202020
3 5 0.0488 1.03 0x202020
4 0 0.1030 1.07 0x202020
4 1 -0.0246 0.98 0x202020
4 2 0.0753 1.05 0x202020
4 3 -0.0413 0.97 0x202020
4 4 0.0883 1.06 0x202020
4 5 -0.0391 0.97 0x202020
5 0 -0.0275 0.98 0x202020
5 1 0.1016 1.07 0x202020
5 2 -0.0300 0.98 0x202020
5 3 0.1153 1.08 0x202020
5 4 -0.0311 0.98 0x202020
5 5 0.0535 1.04 0x202020
6 0 0.0453 1.03 0x202020
6 1 0.2015 1.15 0x202020
6 2 0.0663 1.05 0x202020
6 3 0.1663 1.12 0x202020
6 4 0.1272 1.09 0x202020
6 5 0.1068 1.08 0x202020
7 0 0.2895 1.22 0x202020
7 1 0.2617 1.20 0x202020
7 2 0.3042 1.23 0x202020
7 3 0.2660 1.20 0x202020
7 4 0.2237 1.17 0x202020
7 5 0.1996 1.15 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
