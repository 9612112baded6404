# Made by ptxlab report. To draw it again: gnuplot vectors-used.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'vectors-used.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Bytes that are used, of elements read from DRAM' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set yrange [8.6:-0.6]
set xlabel 'GB/s'
set xrange [0:*]
unset key
set lmargin at screen 0.34
set rmargin at screen 0.93
set ytics scale 0
$bars << EOD
0 4318.684350812557 "one array of floats"
1 4530.355671327485 "float2"
2 4499.255552745644 "structure of 4 floats, aligned to 16"
3 4460.443968552039 "structure of 4 floats, not aligned"
4 4353.348788706467 "4 arrays of floats"
5 4437.1655266428215 "float3"
6 2947.5081907980766 "float3, past the L1"
7 3370.5226649578917 "3 members of a float4"
8 1131.9368556860663 "1 member of 4, aligned to 16"
EOD
plot $bars using ($2):($0):(0):($2):($0-0.35):($0+0.35):ytic(3) with boxxyerror fillstyle solid 0.8 linecolor rgb '#0072b2', \
  $bars using ($2):($0):(sprintf($2 < 1000 ? ' %.1f' : ' %.0f', $2)) with labels left font ',10'
