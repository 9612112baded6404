# Made by ptxlab report. To draw it again: gnuplot heat_map-reduce-loads_in_flight-narrow.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'heat_map-reduce-loads_in_flight-narrow.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'reduce/loads_in_flight/narrow: throughput over parallelism in a warp and warps' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('1' 0, '2' 1, '4' 2, '8' 3, '16' 4) scale 0
set ytics ('4' 0, '8' 1, '16' 2, '32' 3, '64' 4) scale 0
set xrange [-0.5:4.5]
set yrange [-0.5:4.5]
set xlabel 'independent instructions per warp (ILP)'
set ylabel 'warps per SM'
set cblabel 'GB/s'
set cbrange [0:4279.903104167061]
set palette defined (0 '#f7fbff', 0.25 '#c6dbef', 0.5 '#6baed6', 0.75 '#2171b5', 1 '#08306b')
unset grid
unset key
set border 0
$map << EOD
0 0 185.19635666969742 185.2 0x202020
1 0 378.6818668321057 378.7 0x202020
2 0 700.6417717624722 700.6 0x202020
3 0 1205.8446670336853 1205.8 0x202020
4 0 1934.1960113278128 1934.2 0x202020
0 1 376.398630682756 376.4 0x202020
1 1 743.7698554021667 743.8 0x202020
2 1 1341.2386534525904 1341.2 0x202020
3 1 2192.3120453229685 2192.3 0x202020
4 1 3265.7971878878166 3265.8 0xffffff
0 2 741.1085943043877 741.1 0x202020
1 2 1436.1288724098374 1436.1 0x202020
2 2 2428.313422022429 2428.3 0xffffff
3 2 3473.0046758512544 3473.0 0xffffff
4 2 4266.026748942973 4266.0 0xffffff
0 3 1425.6035639998654 1425.6 0x202020
1 3 2585.884076678219 2585.9 0xffffff
2 3 3695.4219810349423 3695.4 0xffffff
3 3 4279.903104167061 4279.9 0xffffff
4 3 4141.251322940907 4141.3 0xffffff
0 4 2587.4793442383525 2587.5 0xffffff
1 4 3839.839159101328 3839.8 0xffffff
2 4 4149.074342207268 4149.1 0xffffff
3 4 4106.0251140053015 4106.0 0xffffff
4 4 4172.917864142464 4172.9 0xffffff
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
