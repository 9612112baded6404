# Made by ptxlab report. To draw it again: gnuplot vectors-used.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'vectors-used.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Bytes that are used, of elements read from DRAM' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set yrange [8.6:-0.6]
set xlabel 'GB/s'
set xrange [0:*]
unset key
set lmargin at screen 0.34
set rmargin at screen 0.93
set ytics scale 0
$bars << EOD
0 4329.092194035831 "one array of floats"
1 4513.9957881153205 "float2"
2 4533.7313794091715 "structure of 4 floats, aligned to 16"
3 4452.237040353189 "structure of 4 floats, not aligned"
4 4346.029512384285 "4 arrays of floats"
5 4409.281607665229 "float3"
6 2958.9681011622247 "float3, past the L1"
7 3361.859791061867 "3 members of a float4"
8 1125.3498960707313 "1 member of 4, aligned to 16"
EOD
plot $bars using ($2):($0):(0):($2):($0-0.35):($0+0.35):ytic(3) with boxxyerror fillstyle solid 0.8 linecolor rgb '#0072b2', \
  $bars using ($2):($0):(sprintf(' %.5g', $2)) with labels left font ',10'
