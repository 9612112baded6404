# Made by ptxlab report. To draw it again: gnuplot coalescing-strides.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'coalescing-strides.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'A warp''s load over its stride: cycles of one SM' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xlabel 'stride in words of 4 bytes'
set ylabel 'cycles'
set yrange [0:*]
set key outside right center Left reverse samplen 2 font ',10'
set xtics 8
set xrange [0:64]
$curve0 << EOD
0 1.3035875462070252
1 1.3008880312761166
2 2.0920839072155437
3 1.3123138961412315
4 4.17091358324859
5 2.093200629757521
6 2.101745551851399
7 2.481994493447677
8 8.366024727373246
9 3.1376131591624716
12 4.1861631287626
16 16.695449813914635
17 5.250669081591027
24 8.36669712951589
32 33.61138425056958
33 8.76170886195349
48 16.77758487704691
64 33.67716423705602
EOD
$curve1 << EOD
0 2.1792911661404655
1 2.2901711529089095
2 2.3460949266004563
3 3.2588643784304723
4 4.172327400958467
5 5.753786703119033
6 6.3935998765102715
7 7.593364443867623
8 8.529324124611959
9 9.602767942371996
12 12.476592885903315
16 16.631931981983
17 18.085725977248163
24 24.950205031221195
32 33.33985295571843
33 34.15504642157638
48 36.7630586701732
64 36.048253050122376
EOD
$curve2 << EOD
0 1
1 1
2 2
3 1
4 4
5 2
6 2
7 2
8 8
9 3
12 4
16 16
17 5
24 8
32 32
33 8
48 16
64 32
EOD
$curve3 << EOD
0 1
1 1
2 2
3 3
4 4
5 5
6 6
7 7
8 8
9 9
12 12
16 16
17 17
24 24
32 32
33 32
48 32
64 32
EOD
plot $curve0 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.6 linecolor rgb '#0072b2' title 'from L1', \
  $curve1 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.6 linecolor rgb '#d55e00' title 'from L2', \
  $curve2 using 1:2 with lines linewidth 1 dashtype 2 linecolor rgb '#009e73' title 'passes, or lines / 4', \
  $curve3 using 1:2 with lines linewidth 1 dashtype 2 linecolor rgb '#cc79a7' title 'lines'
