# Made by ptxlab report. To draw it again: gnuplot heat_map-throughput-half-fma_rn_f16x2.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'heat_map-throughput-half-fma_rn_f16x2.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'throughput/half/fma_rn_f16x2 (0.5 HFMA2 + 0.5 HFMA2.MMA): throughput over parallelism in a warp and warps' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('1' 0, '2' 1, '4' 2, '8' 3) scale 0
set ytics ('1' 0, '2' 1, '4' 2, '8' 3, '16' 4, '32' 5) scale 0
set xrange [-0.5:3.5]
set yrange [-0.5:5.5]
set xlabel 'independent instructions per warp (ILP)'
set ylabel 'warps per SM'
set cblabel 'operation/cycle/SM'
set cbrange [0:124.62277157119087]
set palette defined (0 '#f7fbff', 0.25 '#c6dbef', 0.5 '#6baed6', 0.75 '#2171b5', 1 '#08306b')
unset grid
unset key
set border 0
$map << EOD
0 0 3.990258158792012 4.0 0x202020
1 0 7.976630963972736 8.0 0x202020
2 0 15.753846153846155 15.8 0x202020
3 0 30.340740740740742 30.3 0x202020
0 1 7.980516317584024 8.0 0x202020
1 1 15.953261927945473 16.0 0x202020
2 1 31.50769230769231 31.5 0x202020
3 1 60.681481481481484 60.7 0x202020
0 2 15.961032635168047 16.0 0x202020
1 2 31.906523855890946 31.9 0x202020
2 2 63.01538461538462 63.0 0x202020
3 2 121.36296296296297 121.4 0xffffff
0 3 28.393225117239332 28.4 0x202020
1 3 56.651781844047854 56.7 0x202020
2 3 83.6385101434022 83.6 0xffffff
3 3 122.19741288894069 122.2 0xffffff
0 4 55.16498316498316 55.2 0x202020
1 4 74.96472338687829 75.0 0xffffff
2 4 91.65437038810103 91.7 0xffffff
3 4 124.62277157119087 124.6 0xffffff
0 5 49.99021501022412 50.0 0x202020
1 5 78.99361338363096 79.0 0xffffff
2 5 96.11812502540988 96.1 0xffffff
3 5 106.05737404387129 106.1 0xffffff
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
