# Made by ptxlab report. To draw it again: gnuplot sorting-keys.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'sorting-keys.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Sorting random keys' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale xy
set xlabel 'elements'
set ylabel 'microseconds'
set key outside right center Left reverse samplen 2 font ',10'
$curve0 << EOD
64 4.767999984323978
256 10.27199998497963
1000 41.08799993991852
1024 42.27200150489807
EOD
$curve1 << EOD
64 4.255999810993671
256 6.752000190317631
1000 17.664000391960144
1024 18.144000321626663
2048 53.63199859857559
8192 742.4960136413574
EOD
$curve2 << EOD
64 9.440000168979168
256 27.871999889612198
1000 124.79999661445618
1024 127.80800461769104
2048 377.27999687194824
8192 4396.448135375977
EOD
$curve3 << EOD
64 5.247999913990498
256 11.455999687314034
1000 52.480001002550125
1024 53.66399884223938
2048 142.20799505710602
EOD
$curve4 << EOD
64 5.247999913990498
256 11.648000217974186
1000 57.18399956822395
1024 58.49599838256836
2048 205.34400641918182
EOD
$curve5 << EOD
1024 4945.47176361084
4096 17768.512725830078
16384 80631.42395019531
65536 322952.3620605469
EOD
$curve6 << EOD
1024 1041.6959524154663
4096 4661.151885986328
16384 20100.576400756836
EOD
$curve7 << EOD
1024 26.335999369621277
4096 93.05600076913834
16384 360.3839874267578
65536 1450.943946838379
262144 17148.560523986816
1000000 135781.63146972656
EOD
$curve8 << EOD
1024 812.7040266990662
4096 3583.1360816955566
16384 15735.424041748047
65536 64879.486083984375
EOD
$curve9 << EOD
1024 30.719999223947525
2048 47.26399853825569
4096 84.95999872684479
8192 159.32799875736237
16384 305.56800961494446
65536 1189.3759965896606
262144 16500.9765625
1000000 134778.91540527344
EOD
$curve10 << EOD
64 10.784000158309937
256 10.784000158309937
1000 11.103999800980091
1024 11.103999800980091
2048 11.455999687314034
4096 12.28800043463707
8192 43.327998369932175
16384 44.576000422239304
65536 51.96800082921982
262144 59.26400050520897
1000000 77.47200131416321
EOD
$curve11 << EOD
64 0.516
256 2.741
1000 16.22
1024 16.733
2048 66.385
4096 279.404
8192 425.33
16384 1322.367
65536 5738.812
262144 23573.414
1000000 102176.129
EOD
plot $curve0 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 4 pointsize 0.9 linecolor rgb '#0072b2' title 'one block: edges', \
  $curve1 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 5 pointsize 0.9 linecolor rgb '#d55e00' title 'one block: registers', \
  $curve2 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 6 pointsize 0.9 linecolor rgb '#009e73' title 'one block: shared', \
  $curve3 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 7 pointsize 0.9 linecolor rgb '#cc79a7' title 'one block: shared_split', \
  $curve4 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 8 pointsize 0.9 linecolor rgb '#e69f00' title 'one block: shared_unrolled', \
  $curve5 using 1:2 with linespoints linewidth 2 dashtype 2 pointtype 9 pointsize 0.9 linecolor rgb '#56b4e9' title 'launches: pass', \
  $curve6 using 1:2 with linespoints linewidth 2 dashtype 2 pointtype 10 pointsize 0.9 linecolor rgb '#000000' title 'launches: pass_in_graph', \
  $curve7 using 1:2 with linespoints linewidth 2 dashtype 2 pointtype 11 pointsize 0.9 linecolor rgb '#999999' title 'launches: tile', \
  $curve8 using 1:2 with linespoints linewidth 2 dashtype 3 pointtype 12 pointsize 0.9 linecolor rgb '#0072b2' title 'one kernel: pass', \
  $curve9 using 1:2 with linespoints linewidth 2 dashtype 3 pointtype 13 pointsize 0.9 linecolor rgb '#d55e00' title 'one kernel: tile_a_barrier', \
  $curve10 using 1:2 with linespoints linewidth 2 dashtype 4 pointtype 4 pointsize 0.9 linecolor rgb '#009e73' title 'CUB, radix sort', \
  $curve11 using 1:2 with linespoints linewidth 2 dashtype 4 pointtype 5 pointsize 0.9 linecolor rgb '#cc79a7' title 'one core of the host'
