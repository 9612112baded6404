# Made by ptxlab report. To draw it again: gnuplot surface-all_terms-cooperative.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-all_terms-cooperative.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of cooperative over that of mirrored, all terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 0.0814 1.06 0x202020
0 1 0.0640 1.05 0x202020
0 2 0.0775 1.06 0x202020
0 3 0.0422 1.03 0x202020
0 4 0.0352 1.02 0x202020
0 5 0.0077 1.01 0x202020
1 0 0.0455 1.03 0x202020
1 1 0.0107 1.01 0x202020
1 2 0.0037 1.00 0x202020
1 3 -0.0059 1.00 0x202020
1 4 -0.0015 1.00 0x202020
1 5 0.0015 1.00 0x202020
2 0 0.0236 1.02 0x202020
2 1 0.0005 1.00 0x202020
2 2 -0.0004 1.00 0x202020
2 3 -0.0090 0.99 0x202020
2 4 -0.0032 1.00 0x202020
2 5 -0.0004 1.00 0x202020
3 0 0.0102 1.01 0x202020
3 1 -0.0030 1.00 0x202020
3 2 -0.0025 1.00 0x202020
3 3 -0.0088 0.99 0x202020
3 4 -0.0011 1.00 0x202020
3 5 -0.0039 1.00 0x202020
4 0 0.0009 1.00 0x202020
4 1 0.0005 1.00 0x202020
4 2 -0.0021 1.00 0x202020
4 3 -0.0007 1.00 0x202020
4 4 0.0040 1.00 0x202020
4 5 0.0005 1.00 0x202020
5 0 -0.0020 1.00 0x202020
5 1 0.0051 1.00 0x202020
5 2 0.0045 1.00 0x202020
5 3 0.0055 1.00 0x202020
5 4 0.0040 1.00 0x202020
6 0 0.0003 1.00 0x202020
6 1 0.0027 1.00 0x202020
6 2 0.0009 1.00 0x202020
6 3 -0.0018 1.00 0x202020
6 4 0.0044 1.00 0x202020
7 0 0.0301 1.02 0x202020
7 1 0.0375 1.03 0x202020
7 2 0.0392 1.03 0x202020
7 3 0.0190 1.01 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
