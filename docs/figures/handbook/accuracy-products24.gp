# Made by ptxlab report. To draw it again: gnuplot accuracy-products24.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'accuracy-products24.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label '24-bit products: correct results over the second operand' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 2
set xrange [1:4294967296]
set format x '2^%L'
set xlabel '|y|'
set ylabel 'correct, %'
set yrange [0:105]
set key outside right center Left reverse samplen 2 font ',10'
set arrow from 8388608, graph 0 to 8388608, graph 1 nohead dashtype 3 linecolor rgb '#606060'
set label '2^23' at 8388608, graph 0.97 offset 0.4,0 font ',9' textcolor rgb '#404040'
set arrow from 16777216, graph 0 to 16777216, graph 1 nohead dashtype 3 linecolor rgb '#606060'
set label '2^24' at 16777216, graph 0.9199999999999999 offset 0.4,0 font ',9' textcolor rgb '#404040'
$curve0 << EOD
1 100
2 100
4 100
8 100
16 100
32 100
64 100
128 100
256 100
512 100
1024 100
2048 100
4096 100
8192 100
16384 100
32768 100
65536 100
131072 100
262144 100
524288 100
1048576 100
2097152 100
4194304 100
8388608 100
16777216 100
33554432 100
67108864 100
134217728 100
268435456 100
536870912 100
1073741824 100
2147483648 100
4294967296 100
EOD
$curve1 << EOD
1 100
2 100
4 100
8 100
16 100
32 100
64 100
128 100
256 100
512 100
1024 100
2048 100
4096 100
8192 100
16384 100
32768 100
65536 100
131072 100
262144 100
524288 100
1048576 100
2097152 100
4194304 100
8388608 6.20537
16777216 6.36635
33554432 6.54907
67108864 6.62994
134217728 6.84242
268435456 7.01256
536870912 7.1434
1073741824 21.5483
2147483648 49.9625
4294967296 49.9625
EOD
$curve2 << EOD
1 100
2 100
4 100
8 100
16 100
32 100
64 100
128 100
256 100
512 100
1024 100
2048 100
4096 100
8192 100
16384 100
32768 100
65536 100
131072 100
262144 100
524288 100
1048576 100
2097152 100
4194304 100
8388608 100
16777216 4.24805
33554432 4.37241
67108864 4.53949
134217728 4.71535
268435456 4.91257
536870912 5.03883
1073741824 5.19066
2147483648 5.44014
4294967296 5.44014
EOD
plot $curve0 using 1:2 with steps linewidth 2 dashtype 1 linecolor rgb '#0072b2' title 'x * y, int', \
  $curve1 using 1:2 with steps linewidth 2 dashtype 1 linecolor rgb '#d55e00' title '__mul24(x, y)', \
  $curve2 using 1:2 with steps linewidth 2 dashtype 1 linecolor rgb '#009e73' title '__umul24(x, y)'
