# Made by ptxlab report. To draw it again: gnuplot textures-rate.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'textures-rate.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Texels that the whole device reads in a second' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
$bars << EOD
"load" 1335.5 250.9 1121.1 251.8
"tex1Dfetch" 2002.5 246.1 994.0 201.2
"tex2D, pitch" 1014.9 1002.3 712.9 501.4
"tex2D" 1012.0 1020.3 706.2 712.9
"tex3D" 1023.5 1026.5 719.3 714.0
"loads, by hand" 649.6 63.9 555.4 64.9
"tex2D, pitch, filter" 943.3 518.3 595.8 408.7
"tex2D, filter" 1014.4 1018.6 587.7 594.7
"tex3D, filter" 482.2 481.1 293.6 284.8
"load, 16 B" 564.3 249.9 279.2 167.3
"tex2D, 16 B" 517.3 516.8 268.2 270.1
"tex2D, 16 B, filter" 258.2 258.8 148.5 150.8
EOD
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 border rgb 'white'
set boxwidth 0.95
set xtics rotate by -25 left font ',10' scale 0
set rmargin 10
set ylabel 'Gtexel/s'
set key top right Left reverse samplen 1
set datafile missing 'NaN'
set yrange [0:2103]
plot $bars using 2:xtic(1) linecolor rgb '#0072b2' title 'rows, in L2', \
  $bars using 3 linecolor rgb '#d55e00' title 'columns, in L2', \
  $bars using 4 linecolor rgb '#009e73' title 'rows, beyond L2', \
  $bars using 5 linecolor rgb '#cc79a7' title 'columns, beyond L2'
