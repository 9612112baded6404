# Made by ptxlab report. To draw it again: gnuplot transfers-time.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'transfers-time.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'One copy, from the call until the host sees its end' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 2
set logscale y 10
set xrange [1:2147483648]
set xtics ('1 B' 1, '16 B' 16, '256 B' 256, '4 KiB' 4096, '64 KiB' 65536, '1 MiB' 1048576, '16 MiB' 16777216, '256 MiB' 268435456)
set xlabel 'bytes of a copy'
set ylabel 'us'
set key top left Left reverse samplen 2 font ',10'
$curve0 << EOD
1 10.861
4 11.1695
64 11.3735
1024 11.467
4096 11.6055
16384 11.2255
65536 14.993500000000001
262144 17.2285
1000003 32.45
1048576 32.7505
4194304 93.5
16777216 338.642
67108864 1321.583
268435456 5255.123
1073741824 20960.3035
EOD
$curve1 << EOD
1 9.324
4 10.3185
64 9.999500000000001
1024 9.746500000000001
4096 9.378
16384 10.803
65536 12.301
262144 17.149
1000003 30.122
1048576 30.296
4194304 91.371
16777216 332.352
67108864 1292.37
268435456 5120.326
1073741824 20420.0255
EOD
$curve2 << EOD
1 6.96
4 6.889
64 7.2635000000000005
1024 8.189499999999999
4096 8.160499999999999
16384 10.235
65536 19.025
262144 33.43
1000003 99.3015
1048576 100.94749999999999
4194304 317.565
16777216 1217.934
67108864 6909.14
268435456 32312.926
1073741824 121169.561
EOD
$curve3 << EOD
1 9.1355
4 9.0905
64 9.389
1024 9.5165
4096 9.833
16384 11.2015
65536 21.7675
262144 39.5625
1000003 136.3295
1048576 116.4365
4194304 401.531
16777216 1190.858
67108864 4418.36
268435456 20069.6585
1073741824 74835.14850000001
EOD
$curve4 << EOD
1 6.974
4 6.875500000000001
64 7.3685
1024 7.7275
4096 8.310500000000001
16384 10.599499999999999
65536 10.5425
262144 14.321
1000003 27.897
1048576 28.8445
4194304 87.855
16777216 314.045
67108864 1218.945
268435456 4854.753000000001
1073741824 19361.8525
EOD
$curve5 << EOD
1 8.405999999999999
4 8.2605
64 8.36
1024 8.378
4096 8.5035
16384 8.6645
65536 9.5625
262144 13.117
1000003 26.0255
1048576 27.8385
4194304 84.165
16777216 310.658
67108864 1221.076
268435456 4859.925
1073741824 19411.1825
EOD
plot $curve0 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 4 pointsize 0.9 linecolor rgb '#0072b2' title 'mapped to device', \
  $curve1 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 5 pointsize 0.9 linecolor rgb '#d55e00' title 'mapped to host', \
  $curve2 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 6 pointsize 0.9 linecolor rgb '#009e73' title 'pageable to device', \
  $curve3 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 7 pointsize 0.9 linecolor rgb '#cc79a7' title 'pageable to host', \
  $curve4 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 8 pointsize 0.9 linecolor rgb '#e69f00' title 'pinned to device', \
  $curve5 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 9 pointsize 0.9 linecolor rgb '#56b4e9' title 'pinned to host'
