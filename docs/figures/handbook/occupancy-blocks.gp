# Made by ptxlab report. To draw it again: gnuplot occupancy-blocks.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'occupancy-blocks.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Occupancy over block size on sm_90, no shared memory' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xrange [0:1024]
set xtics ('32' 32, '192' 192, '256' 256, '384' 384, '512' 512, '640' 640, '768' 768, '896' 896, '1024' 1024)
set xlabel 'threads of a block'
set ylabel 'occupancy, % of the warps'
set yrange [0:105]
set key outside right center Left reverse samplen 2 font ',10'
$curve0 << EOD
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
$curve1 << EOD
32 50
64 75
96 75
128 75
160 70.3125
192 75
224 65.625
256 75
288 70.3125
320 62.5
352 68.75
384 75
416 60.9375
448 65.625
480 70.3125
512 75
544 53.125
576 56.25
608 59.375
640 62.5
672 65.625
704 68.75
736 71.875
768 75
800 39.0625
832 40.625
864 42.1875
896 43.75
928 45.3125
960 46.875
992 48.4375
1024 50
EOD
$curve2 << EOD
32 50
64 50
96 46.875
128 50
160 46.875
192 46.875
224 43.75
256 50
288 42.1875
320 46.875
352 34.375
384 37.5
416 40.625
448 43.75
480 46.875
512 50
544 26.5625
576 28.125
608 29.6875
640 31.25
672 32.8125
704 34.375
736 35.9375
768 37.5
800 39.0625
832 40.625
864 42.1875
896 43.75
928 45.3125
960 46.875
992 48.4375
1024 50
EOD
$curve3 << EOD
32 25
64 25
96 23.4375
128 25
160 23.4375
192 18.75
224 21.875
256 25
288 14.0625
320 15.625
352 17.1875
384 18.75
416 20.3125
448 21.875
480 23.4375
512 25
544 0
576 0
608 0
640 0
672 0
704 0
736 0
768 0
800 0
832 0
864 0
896 0
928 0
960 0
992 0
1024 0
EOD
$curve4 << EOD
32 12.5
64 12.5
96 9.375
128 12.5
160 7.8125
192 9.375
224 10.9375
256 12.5
288 0
320 0
352 0
384 0
416 0
448 0
480 0
512 0
544 0
576 0
608 0
640 0
672 0
704 0
736 0
768 0
800 0
832 0
864 0
896 0
928 0
960 0
992 0
1024 0
EOD
plot $curve0 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 4 pointsize 0.9 linecolor rgb '#0072b2' title '32 registers', \
  $curve1 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 5 pointsize 0.9 linecolor rgb '#d55e00' title '40 registers', \
  $curve2 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 6 pointsize 0.9 linecolor rgb '#009e73' title '64 registers', \
  $curve3 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 7 pointsize 0.9 linecolor rgb '#cc79a7' title '128 registers', \
  $curve4 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 8 pointsize 0.9 linecolor rgb '#e69f00' title '255 registers'
