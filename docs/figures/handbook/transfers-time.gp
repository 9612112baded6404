# Made by ptxlab report. To draw it again: gnuplot transfers-time.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'transfers-time.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'One copy, from the call until the host sees its end' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale x 2
set logscale y 10
set xrange [1:2147483648]
set xtics ('1 B' 1, '16 B' 16, '256 B' 256, '4 KiB' 4096, '64 KiB' 65536, '1 MiB' 1048576, '16 MiB' 16777216, '256 MiB' 268435456)
set xlabel 'bytes of a copy'
set ylabel 'us'
set key top left Left reverse samplen 2 font ',10'
$curve0 << EOD
1 9.557500000000001
4 9.609
64 9.659
1024 9.748999999999999
4096 9.8295
16384 10.284
65536 11.4085
262144 15.5695
1000003 30.6175
1048576 31.112000000000002
4194304 92.983
16777216 337.509
67108864 1318.018
268435456 5250.818499999999
1073741824 20905.7225
EOD
$curve1 << EOD
1 9.0215
4 8.870000000000001
64 8.998000000000001
1024 8.961500000000001
4096 8.924
16384 9.141
65536 9.8865
262144 13.773499999999999
1000003 27.8515
1048576 28.5015
4194304 88.131
16777216 328.162
67108864 1284.234
268435456 5112.614
1073741824 20417.655
EOD
$curve2 << EOD
1 6.2425
4 5.9505
64 6.632
1024 6.432
4096 6.688000000000001
16384 8.5
65536 16.694499999999998
262144 27.8135
1000003 79.20599999999999
1048576 83.53999999999999
4194304 308.076
16777216 1146.726
67108864 9834.808
268435456 29900.675
1073741824 115935.159
EOD
$curve3 << EOD
1 8.838999999999999
4 8.808
64 8.158000000000001
1024 9.5465
4096 8.519
16384 9.4835
65536 15.167
262144 31.799
1000003 96.024
1048576 103.084
4194304 306.818
16777216 1377.684
67108864 4309.054
268435456 16399.5665
1073741824 60883.095499999996
EOD
$curve4 << EOD
1 5.542
4 5.5465
64 6.21
1024 6.4239999999999995
4096 6.765499999999999
16384 8.304
65536 10.0485
262144 13.038
1000003 27.18
1048576 27.5
4194304 84.671
16777216 310.096
67108864 1218.873
268435456 4849.698
1073741824 19394.8925
EOD
$curve5 << EOD
1 7.139
4 7.1615
64 7.147
1024 7.2385
4096 7.3325
16384 7.409
65536 8.262
262144 11.837499999999999
1000003 25.8815
1048576 26.786
4194304 82.983
16777216 309.619
67108864 1221.801
268435456 4879.4015
1073741824 19423.5595
EOD
plot $curve0 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 4 pointsize 0.9 linecolor rgb '#0072b2' title 'mapped to device', \
  $curve1 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 5 pointsize 0.9 linecolor rgb '#d55e00' title 'mapped to host', \
  $curve2 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 6 pointsize 0.9 linecolor rgb '#009e73' title 'pageable to device', \
  $curve3 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 7 pointsize 0.9 linecolor rgb '#cc79a7' title 'pageable to host', \
  $curve4 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 8 pointsize 0.9 linecolor rgb '#e69f00' title 'pinned to device', \
  $curve5 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 9 pointsize 0.9 linecolor rgb '#56b4e9' title 'pinned to host'
