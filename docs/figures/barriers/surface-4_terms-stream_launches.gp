# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-stream_launches.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-stream_launches.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of stream launches over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 0.9435 1.92 0x202020
0 1 0.9634 1.95 0x202020
0 2 0.9368 1.91 0x202020
0 3 0.9117 1.88 0x202020
0 4 0.9505 1.93 0x202020
0 5 0.8779 1.84 0x202020
1 0 0.9074 1.88 0x202020
1 1 0.9161 1.89 0x202020
1 2 0.9009 1.87 0x202020
1 3 0.8947 1.86 0x202020
1 4 0.9060 1.87 0x202020
1 5 0.8398 1.79 0x202020
2 0 0.9360 1.91 0x202020
2 1 0.9458 1.93 0x202020
2 2 0.8999 1.87 0x202020
2 3 0.9106 1.88 0x202020
2 4 0.8846 1.85 0x202020
2 5 0.8619 1.82 0x202020
3 0 0.8286 1.78 0x202020
3 1 0.8269 1.77 0x202020
3 2 0.8516 1.80 0x202020
3 3 0.8304 1.78 0x202020
3 4 0.8216 1.77 0x202020
3 5 0.7323 1.66 0x202020
4 0 0.8513 1.80 0x202020
4 1 0.8394 1.79 0x202020
4 2 0.8206 1.77 0x202020
4 3 0.8296 1.78 0x202020
4 4 0.7781 1.71 0x202020
4 5 0.7621 1.70 0x202020
5 0 0.8411 1.79 0x202020
5 1 0.9101 1.88 0x202020
5 2 0.8785 1.84 0x202020
5 3 0.8934 1.86 0x202020
5 4 0.8541 1.81 0x202020
5 5 0.7723 1.71 0x202020
6 0 0.8786 1.84 0x202020
6 1 0.8930 1.86 0x202020
6 2 0.9005 1.87 0x202020
6 3 0.9558 1.94 0x202020
6 4 0.9290 1.90 0x202020
6 5 0.8056 1.75 0x202020
7 0 0.7776 1.71 0x202020
7 1 0.7657 1.70 0x202020
7 2 0.8032 1.74 0x202020
7 3 0.7659 1.70 0x202020
7 4 0.6773 1.60 0x202020
7 5 0.6539 1.57 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
