# Made by ptxlab report. To draw it again: gnuplot surface-all_terms-wrapping.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-all_terms-wrapping.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of wrapping over that of mirrored, all terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 -0.0076 0.99 0x202020
0 1 -0.0300 0.98 0x202020
0 2 -0.0364 0.98 0x202020
0 3 -0.0357 0.98 0x202020
0 4 -0.0455 0.97 0x202020
0 5 -0.0039 1.00 0x202020
1 0 -0.0602 0.96 0x202020
1 1 -0.0733 0.95 0x202020
1 2 -0.1019 0.93 0x202020
1 3 -0.1192 0.92 0x202020
1 4 -0.0907 0.94 0x202020
1 5 -0.0263 0.98 0x202020
2 0 -0.0809 0.95 0x202020
2 1 -0.0941 0.94 0x202020
2 2 -0.1177 0.92 0x202020
2 3 -0.1244 0.92 0x202020
2 4 -0.0873 0.94 0x202020
2 5 -0.0334 0.98 0x202020
3 0 -0.0548 0.96 0x202020
3 1 -0.0453 0.97 0x202020
3 2 -0.0649 0.96 0x202020
3 3 -0.0980 0.93 0x202020
3 4 -0.0605 0.96 0x202020
3 5 -0.0236 0.98 0x202020
4 0 -0.0621 0.96 0x202020
4 1 -0.0445 0.97 0x202020
4 2 -0.0706 0.95 0x202020
4 3 -0.0638 0.96 0x202020
4 4 -0.0573 0.96 0x202020
4 5 -0.0281 0.98 0x202020
5 0 -0.0901 0.94 0x202020
5 1 -0.0876 0.94 0x202020
5 2 -0.0800 0.95 0x202020
5 3 -0.0958 0.94 0x202020
5 4 -0.0702 0.95 0x202020
6 0 -0.0932 0.94 0x202020
6 1 -0.0813 0.95 0x202020
6 2 -0.1008 0.93 0x202020
6 3 -0.1020 0.93 0x202020
6 4 -0.0729 0.95 0x202020
7 0 -0.0474 0.97 0x202020
7 1 -0.0586 0.96 0x202020
7 2 -0.0524 0.96 0x202020
7 3 -0.0533 0.96 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
