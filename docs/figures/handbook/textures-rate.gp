# Made by ptxlab report. To draw it again: gnuplot textures-rate.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'textures-rate.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Texels that the whole device reads in a second' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
$bars << EOD
"load" 1331.4 250.3 1117.3 251.3
"tex1Dfetch" 1996.7 245.8 993.9 201.1
"tex2D, pitch" 1013.4 1001.1 712.1 499.8
"tex2D" 1008.3 1017.7 705.2 712.6
"tex3D" 1013.7 1022.4 717.8 712.8
"loads, by hand" 648.6 64.0 550.1 65.0
"tex2D, pitch, filter" 934.3 518.1 595.8 408.9
"tex2D, filter" 1008.9 1013.9 588.3 594.8
"tex3D, filter" 483.2 482.9 294.8 285.6
"load, 16 B" 564.3 249.9 279.5 167.0
"tex2D, 16 B" 513.8 513.9 268.2 270.2
"tex2D, 16 B, filter" 257.8 258.8 148.4 150.7
EOD
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.9 border rgb 'white'
set boxwidth 0.95
set xtics rotate by -25 left font ',10' scale 0
set rmargin 10
set ylabel 'Gtexel/s'
set key top center horizontal Left reverse samplen 1
set datafile missing 'NaN'
set yrange [0:2296]
plot $bars using 2:xtic(1) linecolor rgb '#0072b2' title 'rows, in L2', \
  $bars using 3 linecolor rgb '#d55e00' title 'columns, in L2', \
  $bars using 4 linecolor rgb '#009e73' title 'rows, beyond L2', \
  $bars using 5 linecolor rgb '#cc79a7' title 'columns, beyond L2'
