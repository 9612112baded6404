# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-stream_launches.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-stream_launches.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of stream launches over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab cf5ced7af724' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
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
0 0 0.9694 1.96 0x202020
0 1 0.9738 1.96 0x202020
0 2 0.9515 1.93 0x202020
0 3 0.9601 1.95 0x202020
0 4 0.9217 1.89 0x202020
0 5 0.8409 1.79 0x202020
1 0 0.9691 1.96 0x202020
1 1 0.9758 1.97 0x202020
1 2 0.9789 1.97 0x202020
1 3 0.9753 1.97 0x202020
1 4 0.9167 1.89 0x202020
1 5 0.8559 1.81 0x202020
2 0 0.9854 1.98 0x202020
2 1 0.9813 1.97 0x202020
2 2 0.9932 1.99 0x202020
2 3 0.9690 1.96 0x202020
2 4 0.9353 1.91 0x202020
2 5 0.8782 1.84 0x202020
3 0 1.0203 2.03 0x202020
3 1 1.0136 2.02 0x202020
3 2 0.9822 1.98 0x202020
3 3 0.9939 1.99 0x202020
3 4 0.9362 1.91 0x202020
3 5 0.8524 1.81 0x202020
4 0 1.0362 2.05 0x202020
4 1 1.0080 2.01 0x202020
4 2 0.9861 1.98 0x202020
4 3 0.9686 1.96 0x202020
4 4 0.9055 1.87 0x202020
4 5 0.8309 1.78 0x202020
5 0 1.0273 2.04 0x202020
5 1 1.0171 2.02 0x202020
5 2 1.0073 2.01 0x202020
5 3 0.9892 1.99 0x202020
5 4 0.9475 1.93 0x202020
5 5 0.8581 1.81 0x202020
6 0 1.0203 2.03 0x202020
6 1 1.0582 2.08 0x202020
6 2 0.9929 1.99 0x202020
6 3 1.0563 2.08 0x202020
6 4 0.9940 1.99 0x202020
6 5 0.8961 1.86 0x202020
7 0 0.9680 1.96 0x202020
7 1 0.9314 1.91 0x202020
7 2 0.9375 1.92 0x202020
7 3 0.8900 1.85 0x202020
7 4 0.8301 1.78 0x202020
7 5 0.7750 1.71 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
