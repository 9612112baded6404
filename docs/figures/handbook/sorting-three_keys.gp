# Made by ptxlab report. To draw it again: gnuplot sorting-three_keys.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'sorting-three_keys.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Sorting by order, level and value, with payload' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale xy
set xlabel 'elements'
set ylabel 'microseconds'
set key outside right center Left reverse samplen 2 font ',10'
$curve0 << EOD
64 13.632000423967838
256 41.24800115823746
1000 256.7040026187897
1024 263.90400528907776
2048 863.103985786438
EOD
$curve1 << EOD
1024 22006.94465637207
4096 85205.9555053711
16384 346791.07666015625
EOD
$curve2 << EOD
1024 5585.279941558838
4096 21575.936317443848
16384 104776.8325805664
EOD
$curve3 << EOD
1024 2195.712089538574
4096 8989.279747009277
16384 40009.69696044922
EOD
$curve4 << EOD
64 1.557
256 6.293
1000 40.267
1024 32.432
2048 120.79
EOD
plot $curve0 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 4 pointsize 0.9 linecolor rgb '#0072b2' title 'one block: three_keys', \
  $curve1 using 1:2 with linespoints linewidth 2 dashtype 2 pointtype 5 pointsize 0.9 linecolor rgb '#d55e00' title 'launches: three_keys, looks after each launch', \
  $curve2 using 1:2 with linespoints linewidth 2 dashtype 2 pointtype 6 pointsize 0.9 linecolor rgb '#009e73' title 'launches: three_keys, looks every 64', \
  $curve3 using 1:2 with linespoints linewidth 2 dashtype 3 pointtype 7 pointsize 0.9 linecolor rgb '#cc79a7' title 'one kernel: three_keys', \
  $curve4 using 1:2 with linespoints linewidth 2 dashtype 4 pointtype 8 pointsize 0.9 linecolor rgb '#e69f00' title 'one core of the host'
