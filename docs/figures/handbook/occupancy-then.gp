# Made by ptxlab report. To draw it again: gnuplot occupancy-then.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'occupancy-then.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Occupancy over block size, then and now, where registers suffice' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xrange [0:1024]
set xtics ('32' 32, '192' 192, '256' 256, '384' 384, '512' 512, '640' 640, '768' 768, '896' 896, '1024' 1024)
set xlabel 'threads of a block'
set ylabel 'occupancy, % of the warps'
set yrange [0:105]
set key outside right center Left reverse samplen 2 font ',10'
$curve0 << EOD
32 25
64 50
96 75
128 100
160 93.75
192 93.75
224 87.5
256 100
288 84.375
320 93.75
352 68.75
384 75
416 81.25
448 87.5
480 93.75
512 100
EOD
$curve1 << EOD
32 16.666666666666664
64 33.33333333333333
96 50
128 66.66666666666666
160 83.33333333333334
192 100
224 87.5
256 100
288 93.75
320 83.33333333333334
352 91.66666666666666
384 100
416 81.25
448 87.5
480 93.75
512 100
544 70.83333333333334
576 75
608 79.16666666666666
640 83.33333333333334
672 87.5
704 91.66666666666666
736 95.83333333333334
768 100
800 52.083333333333336
832 54.166666666666664
864 56.25
896 58.333333333333336
928 60.416666666666664
960 62.5
992 64.58333333333334
1024 66.66666666666666
EOD
$curve2 << EOD
32 50
64 100
96 98.4375
128 100
160 93.75
192 93.75
224 98.4375
256 100
288 98.4375
320 93.75
352 85.9375
384 93.75
416 81.25
448 87.5
480 93.75
512 100
544 79.6875
576 84.375
608 89.0625
640 93.75
672 98.4375
704 68.75
736 71.875
768 75
800 78.125
832 81.25
864 84.375
896 87.5
928 90.625
960 93.75
992 96.875
1024 100
EOD
plot $curve0 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 4 pointsize 0.9 linecolor rgb '#0072b2' title 'GeForce GTX 295', \
  $curve1 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 5 pointsize 0.9 linecolor rgb '#d55e00' title 'Tesla C2050, GeForce GTX 480', \
  $curve2 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 6 pointsize 0.9 linecolor rgb '#009e73' title 'NVIDIA H200'
