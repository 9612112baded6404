# Made by ptxlab report. To draw it again: gnuplot coalescing-strides.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'coalescing-strides.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'A warp''s load over its stride: cycles of one SM' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xlabel 'stride in words of 4 bytes'
set ylabel 'cycles'
set yrange [0:*]
set key outside right center Left reverse samplen 2 font ',10'
set xtics 8
set xrange [0:64]
$curve0 << EOD
0 1.3064270012402472
1 1.303756699401849
2 2.091079630743776
3 1.310958644740623
4 4.192458153399243
5 2.088760206433223
6 2.094995238903955
7 2.4877161760523525
8 8.396818677057635
9 3.1565757096587364
12 4.166301676538099
16 16.685592540837607
17 5.258758443887005
24 8.37249466035737
32 33.587391325534924
33 8.788482297131257
48 16.80416943598399
64 33.63077419519026
EOD
$curve1 << EOD
0 2.0998306615922826
1 2.32757419472646
2 2.3525260930835286
3 3.228373307430137
4 4.168294401539646
5 5.620431654229609
6 6.260508671412483
8 8.528425206843199
9 9.586053880594545
12 12.468490600119098
16 16.65293693905821
17 18.15374161855663
24 25.020538267507398
32 33.36347020764562
33 34.365395487122825
48 36.76737251973376
64 36.032313224360756
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
  $curve2 using 1:2 with lines linewidth 1 dashtype 2 linecolor rgb '#009e73' title 'passes, or lines / 4 rounded up', \
  $curve3 using 1:2 with lines linewidth 1 dashtype 2 linecolor rgb '#cc79a7' title 'lines'
