# Made by ptxlab report. To draw it again: gnuplot sorting-keys.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'sorting-keys.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Sorting random keys' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale xy
set xlabel 'elements'
set ylabel 'microseconds'
set key outside right center Left reverse samplen 2 font ',10'
$curve0 << EOD
64 5.0559998489916325
256 10.495999827980995
1000 41.21600091457367
1024 42.49599948525429
EOD
$curve1 << EOD
64 4.416000097990036
256 6.816000211983919
1000 17.920000478625298
1024 18.33599992096424
2048 54.27199974656105
8192 742.6559925079346
EOD
$curve2 << EOD
64 9.631999768316746
256 28.16000021994114
1000 125.2480000257492
1024 128.09599936008453
2048 377.79200077056885
8192 4400.9599685668945
EOD
$curve3 << EOD
64 5.280000157654285
256 11.615999974310398
1000 52.73599922657013
1024 53.82400006055832
2048 142.46399700641632
EOD
$curve4 << EOD
64 5.311999935656786
256 11.807999573647976
1000 57.50399827957153
1024 58.81600081920624
2048 205.63200116157532
EOD
$curve5 << EOD
1024 3537.8880500793457
4096 16129.215240478516
16384 55048.41613769531
65536 216596.22192382812
EOD
$curve6 << EOD
1024 1028.3839702606201
EOD
$curve7 << EOD
1024 26.91200003027916
4096 95.10400146245956
16384 368.4479892253876
65536 1490.272045135498
262144 17242.624282836914
1000000 136144.80590820312
EOD
$curve8 << EOD
1024 796.5120077133179
4096 3610.016107559204
16384 15818.27163696289
65536 64504.669189453125
EOD
$curve9 << EOD
1024 30.559999868273735
2048 47.29599878191948
4096 85.40800213813782
8192 159.45599973201752
16384 305.2479922771454
65536 1188.6719465255737
262144 16487.664222717285
1000000 135344.13146972656
EOD
$curve10 << EOD
64 10.944000445306301
256 10.944000445306301
1000 11.168000288307667
1024 11.168000288307667
2048 11.58399973064661
4096 12.319999746978283
8192 44.38399896025658
16384 46.39999940991402
65536 53.75999957323074
262144 60.864001512527466
1000000 79.00799810886383
EOD
$curve11 << EOD
64 0.441
256 2.356
1000 14.23
1024 16.329
2048 81.647
4096 174.584
8192 396.254
16384 1158.869
65536 5269.825
262144 21014.466
1000000 74067.269
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
