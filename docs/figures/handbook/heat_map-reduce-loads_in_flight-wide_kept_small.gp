# Made by ptxlab report. To draw it again: gnuplot heat_map-reduce-loads_in_flight-wide_kept_small.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'heat_map-reduce-loads_in_flight-wide_kept_small.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'reduce/loads_in_flight/wide_kept_small: throughput over parallelism in a warp and warps' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('16' 0) scale 0
set ytics ('16' 0, '32' 1, '64' 2) scale 0
set xrange [-0.5:0.5]
set yrange [-0.5:2.5]
set xlabel 'independent instructions per warp (ILP)'
set ylabel 'warps per SM'
set cblabel 'GB/s'
set cbrange [0:4379.902364651409]
set palette defined (0 '#f7fbff', 0.25 '#c6dbef', 0.5 '#6baed6', 0.75 '#2171b5', 1 '#08306b')
unset grid
unset key
set border 0
$map << EOD
0 0 4379.902364651409 4379.9 0xffffff
0 1 4247.964277165907 4248.0 0xffffff
0 2 4325.869702880158 4325.9 0xffffff
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
