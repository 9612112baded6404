# Made by ptxlab report. To draw it again: gnuplot sorting-three_keys.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'sorting-three_keys.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Sorting by order, level and value, with payload' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set logscale xy
set xlabel 'elements'
set ylabel 'microseconds'
set key outside right center Left reverse samplen 2 font ',10'
$curve0 << EOD
64 13.791999779641628
256 41.439998894929886
1000 257.60000944137573
1024 264.16000723838806
2048 864.3519878387451
EOD
$curve1 << EOD
1024 18898.048400878906
4096 73488.73901367188
16384 299795.1354980469
EOD
$curve2 << EOD
1024 3571.392059326172
4096 13795.184135437012
16384 60143.39065551758
EOD
$curve3 << EOD
1024 2165.600061416626
4096 8999.008178710938
16384 40007.423400878906
EOD
$curve4 << EOD
64 2.762
256 11.555
1000 80.393
1024 80.709
2048 166.871
EOD
plot $curve0 using 1:2 with linespoints linewidth 2 dashtype 1 pointtype 4 pointsize 0.9 linecolor rgb '#0072b2' title 'one block: three_keys', \
  $curve1 using 1:2 with linespoints linewidth 2 dashtype 2 pointtype 5 pointsize 0.9 linecolor rgb '#d55e00' title 'launches: three_keys, looks after each launch', \
  $curve2 using 1:2 with linespoints linewidth 2 dashtype 2 pointtype 6 pointsize 0.9 linecolor rgb '#009e73' title 'launches: three_keys, looks every 64', \
  $curve3 using 1:2 with linespoints linewidth 2 dashtype 3 pointtype 7 pointsize 0.9 linecolor rgb '#cc79a7' title 'one kernel: three_keys', \
  $curve4 using 1:2 with linespoints linewidth 2 dashtype 4 pointtype 8 pointsize 0.9 linecolor rgb '#e69f00' title 'one core of the host'
