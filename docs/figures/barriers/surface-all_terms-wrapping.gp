# Made by ptxlab report. To draw it again: gnuplot surface-all_terms-wrapping.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'surface-all_terms-wrapping.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Time of wrapping over that of mirrored, all terms (above 1: the barrier wins)' at screen 0.5, 0.955 center font ',13'
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
0 0 -0.0400 0.97 0x202020
0 1 -0.0259 0.98 0x202020
0 2 -0.0343 0.98 0x202020
0 3 -0.0380 0.97 0x202020
0 4 -0.0495 0.97 0x202020
0 5 -0.0035 1.00 0x202020
1 0 -0.0626 0.96 0x202020
1 1 -0.0754 0.95 0x202020
1 2 -0.1039 0.93 0x202020
1 3 -0.1084 0.93 0x202020
1 4 -0.0904 0.94 0x202020
1 5 -0.0261 0.98 0x202020
2 0 -0.0801 0.95 0x202020
2 1 -0.0916 0.94 0x202020
2 2 -0.1099 0.93 0x202020
2 3 -0.1178 0.92 0x202020
2 4 -0.0903 0.94 0x202020
2 5 -0.0324 0.98 0x202020
3 0 -0.0603 0.96 0x202020
3 1 -0.0626 0.96 0x202020
3 2 -0.0696 0.95 0x202020
3 3 -0.0918 0.94 0x202020
3 4 -0.0741 0.95 0x202020
3 5 -0.0241 0.98 0x202020
4 0 -0.0551 0.96 0x202020
4 1 -0.0529 0.96 0x202020
4 2 -0.0742 0.95 0x202020
4 3 -0.0896 0.94 0x202020
4 4 -0.0409 0.97 0x202020
4 5 -0.0250 0.98 0x202020
5 0 -0.1038 0.93 0x202020
5 1 -0.0823 0.94 0x202020
5 2 -0.1013 0.93 0x202020
5 3 -0.0684 0.95 0x202020
5 4 -0.0709 0.95 0x202020
6 0 -0.0880 0.94 0x202020
6 1 -0.1002 0.93 0x202020
6 2 -0.0814 0.95 0x202020
6 3 -0.0946 0.94 0x202020
6 4 -0.0684 0.95 0x202020
7 0 -0.0609 0.96 0x202020
7 1 -0.0403 0.97 0x202020
7 2 -0.0544 0.96 0x202020
7 3 -0.0501 0.97 0x202020
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
