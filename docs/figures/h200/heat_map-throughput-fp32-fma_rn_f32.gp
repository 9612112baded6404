# Made by ptxlab report. To draw it again: gnuplot heat_map-throughput-fp32-fma_rn_f32.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'heat_map-throughput-fp32-fma_rn_f32.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'throughput/fp32/fma_rn_f32 (FFMA): throughput over parallelism in a warp and warps' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('1' 0, '2' 1, '4' 2, '8' 3) scale 0
set ytics ('1' 0, '2' 1, '4' 2, '8' 3, '16' 4, '32' 5) scale 0
set xrange [-0.5:3.5]
set yrange [-0.5:5.5]
set xlabel 'independent instructions per warp (ILP)'
set ylabel 'warps per SM'
set cblabel 'operation/cycle/SM'
set cbrange [0:126.06875294066629]
set palette defined (0 '#f7fbff', 0.25 '#c6dbef', 0.5 '#6baed6', 0.75 '#2171b5', 1 '#08306b')
unset grid
unset key
set border 0
$map << EOD
0 0 7.945683802133851 7.9 0x202020
1 0 15.753846153846155 15.8 0x202020
2 0 30.340740740740742 30.3 0x202020
3 0 30.340740740740742 30.3 0x202020
0 1 15.891367604267701 15.9 0x202020
1 1 31.50769230769231 31.5 0x202020
2 1 60.681481481481484 60.7 0x202020
3 1 60.681481481481484 60.7 0x202020
0 2 31.78177192020393 31.8 0x202020
1 2 63.01159808824753 63.0 0x202020
2 2 121.34190031753377 121.3 0xffffff
3 2 121.36296296296297 121.4 0xffffff
2 3 126.06875294066629 126.1 0xffffff
3 3 125.99670936276742 126.0 0xffffff
0 4 63.56022070991031 63.6 0x202020
1 4 84.60353301164037 84.6 0xffffff
2 4 112.97485849351736 113.0 0xffffff
3 4 124.64322376160288 124.6 0xffffff
1 5 76.11376540329366 76.1 0xffffff
2 5 114.93061768377243 114.9 0xffffff
EOD
$refused << EOD
0 3 invalid
0 5 invalid
1 3 invalid
3 5 invalid
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable, \
  $refused using 1:2:3 with labels font ',9' textcolor rgb '#808080'
