# Made by ptxlab report. To draw it again: gnuplot constant-words.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'constant-words.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Constant memory: different words that a warp reads' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xlabel 'different words'
set ylabel 'cycles'
set yrange [0:*]
set key outside right center Left reverse samplen 2 font ',10'
set xtics (1, 2, 4, 8, 16, 32)
$curve0 << EOD
1 34.017857142857146
2 45.017857142857146
4 67.01785714285715
8 111.01785714285714
16 199.01785714285717
32 375.01785714285717
EOD
$curve1 << EOD
1 2.149719165065403
2 4.309249875282196
4 8.561033741161493
8 17.169370593416776
16 34.32591148039326
32 68.71507576147697
EOD
plot $curve0 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.6 linecolor rgb '#0072b2' title 'a chain', \
  $curve1 using 1:2 with linespoints linewidth 2 pointtype 7 pointsize 0.6 linecolor rgb '#d55e00' title 'an access of many'
