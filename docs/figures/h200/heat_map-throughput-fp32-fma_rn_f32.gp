# Made by ptxlab report. To draw it again: gnuplot heat_map-throughput-fp32-fma_rn_f32.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'heat_map-throughput-fp32-fma_rn_f32.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'throughput/fp32/fma_rn_f32 (FFMA): throughput over parallelism in a warp and warps' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('1' 0, '2' 1, '4' 2, '8' 3) scale 0
set ytics ('1' 0, '2' 1, '4' 2, '8' 3, '16' 4, '32' 5) scale 0
set xrange [-0.5:3.5]
set yrange [-0.5:5.5]
set xlabel 'independent instructions per warp (ILP)'
set ylabel 'warps per SM'
set cblabel 'operation/cycle/SM'
set cbrange [0:125.5478927203065]
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
0 2 31.778882755782853 31.8 0x202020
1 2 63.01160901026753 63.0 0x202020
2 2 121.33489080782931 121.3 0xffffff
3 2 121.34192956613803 121.3 0xffffff
2 3 125.5478927203065 125.5 0xffffff
3 3 125.5478927203065 125.5 0xffffff
0 4 63.55150601257941 63.6 0x202020
1 4 84.62232495853945 84.6 0xffffff
2 4 112.53087385447944 112.5 0xffffff
3 4 125.16949290929273 125.2 0xffffff
1 5 76.02129788309536 76.0 0xffffff
2 5 116.66743904661126 116.7 0xffffff
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
