# Made by ptxlab report. To draw it again: gnuplot local-rounds.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'local-rounds.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'A round of 2048 threads for every SM: registers and local memory' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set yrange [4.6:-0.6]
set xlabel 'ns'
set logscale x
set xrange [1:*]
unset key
set lmargin at screen 0.34
set rmargin at screen 0.93
set ytics scale 0
$bars << EOD
0 2025.1039266586304 "48 values, mixed: they fit the registers"
1 27255.43975830078 "48 values, mixed: 32 registers"
2 4641.312122344971 "32 counters, indexed: local memory"
3 1180.0960302352905 "32 counters, indexed: registers"
4 138.0159854888916 "32 counters, indexed: shared memory"
EOD
plot $bars using ($2):($0):(1):($2):($0-0.35):($0+0.35):ytic(3) with boxxyerror fillstyle solid 0.8 linecolor rgb '#0072b2', \
  $bars using ($2):($0):(sprintf($2 < 1000 ? ' %.1f' : ' %.0f', $2)) with labels left font ',10'
