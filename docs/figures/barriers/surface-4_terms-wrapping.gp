# Made by ptxlab report. To draw it again: gnuplot surface-4_terms-wrapping.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-4_terms-wrapping.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of wrapping over that of mirrored, 4 terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 0.0788 1.06 0x202020
0 1 0.0867 1.06 0x202020
0 2 0.0820 1.06 0x202020
0 3 0.0830 1.06 0x202020
0 4 0.0837 1.06 0x202020
0 5 -0.0393 0.97 0x202020
1 0 0.0842 1.06 0x202020
1 1 0.0862 1.06 0x202020
1 2 0.0830 1.06 0x202020
1 3 0.0924 1.07 0x202020
1 4 -0.0276 0.98 0x202020
1 5 0.0350 1.02 0x202020
2 0 0.0836 1.06 0x202020
2 1 0.0866 1.06 0x202020
2 2 0.0870 1.06 0x202020
2 3 -0.0228 0.98 0x202020
2 4 0.0557 1.04 0x202020
2 5 -0.0604 0.96 0x202020
3 0 0.0844 1.06 0x202020
3 1 0.0772 1.05 0x202020
3 2 -0.0092 0.99 0x202020
3 3 0.0582 1.04 0x202020
3 4 -0.0076 0.99 0x202020
3 5 0.0293 1.02 0x202020
4 0 0.0864 1.06 0x202020
4 1 -0.0336 0.98 0x202020
4 2 0.0477 1.03 0x202020
4 3 -0.0459 0.97 0x202020
4 4 0.0643 1.05 0x202020
4 5 -0.0533 0.96 0x202020
5 0 -0.0394 0.97 0x202020
5 1 0.0841 1.06 0x202020
5 2 -0.0190 0.99 0x202020
5 3 0.1044 1.08 0x202020
5 4 -0.0153 0.99 0x202020
5 5 0.0576 1.04 0x202020
6 0 0.0745 1.05 0x202020
6 1 0.1898 1.14 0x202020
6 2 0.1101 1.08 0x202020
6 3 0.2070 1.15 0x202020
6 4 0.1595 1.12 0x202020
6 5 0.0925 1.07 0x202020
7 0 0.2921 1.22 0x202020
7 1 0.2954 1.23 0x202020
7 2 0.2980 1.23 0x202020
7 3 0.2645 1.20 0x202020
7 4 0.2236 1.17 0x202020
7 5 0.2049 1.15 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
