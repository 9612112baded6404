# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-stream_launches.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-stream_launches.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of stream launches over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 0.9736 1.96 0x202020
0 1 0.9820 1.98 0x202020
0 2 0.9366 1.91 0x202020
0 3 0.9455 1.93 0x202020
0 4 0.9156 1.89 0x202020
0 5 0.8507 1.80 0x202020
1 0 0.9715 1.96 0x202020
1 1 0.9780 1.97 0x202020
1 2 0.9683 1.96 0x202020
1 3 0.9618 1.95 0x202020
1 4 0.9104 1.88 0x202020
1 5 0.8583 1.81 0x202020
2 0 0.9813 1.97 0x202020
2 1 0.9727 1.96 0x202020
2 2 0.9796 1.97 0x202020
2 3 0.9593 1.94 0x202020
2 4 0.9284 1.90 0x202020
2 5 0.8670 1.82 0x202020
3 0 1.0228 2.03 0x202020
3 1 1.0205 2.03 0x202020
3 2 1.0006 2.00 0x202020
3 3 0.9842 1.98 0x202020
3 4 0.9310 1.91 0x202020
3 5 0.8393 1.79 0x202020
4 0 1.0150 2.02 0x202020
4 1 0.9998 2.00 0x202020
4 2 0.9795 1.97 0x202020
4 3 0.9493 1.93 0x202020
4 4 0.9171 1.89 0x202020
4 5 0.8354 1.78 0x202020
5 0 1.0206 2.03 0x202020
5 1 1.0151 2.02 0x202020
5 2 0.9991 2.00 0x202020
5 3 0.9779 1.97 0x202020
5 4 0.9361 1.91 0x202020
5 5 0.8571 1.81 0x202020
6 0 1.0255 2.04 0x202020
6 1 1.0516 2.07 0x202020
6 2 0.9954 1.99 0x202020
6 3 1.0435 2.06 0x202020
6 4 0.9934 1.99 0x202020
6 5 0.8938 1.86 0x202020
7 0 0.9594 1.94 0x202020
7 1 0.9358 1.91 0x202020
7 2 0.9347 1.91 0x202020
7 3 0.8850 1.85 0x202020
7 4 0.8181 1.76 0x202020
7 5 0.7647 1.70 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
