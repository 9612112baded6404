# Made by ptxlab report. To draw it again: gnuplot heat_map-reduce-loads_in_flight-wide.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'heat_map-reduce-loads_in_flight-wide.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'reduce/loads_in_flight/wide: throughput over parallelism in a warp and warps' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab c4ceb48950d6' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('1' 0, '2' 1, '4' 2, '8' 3, '16' 4) scale 0
set ytics ('4' 0, '8' 1, '16' 2, '20' 3, '32' 4, '36' 5, '48' 6, '64' 7) scale 0
set xrange [-0.5:4.5]
set yrange [-0.5:7.5]
set xlabel 'independent instructions per warp (ILP)'
set ylabel 'warps per SM'
set cblabel 'GB/s'
set cbrange [0:4508.194563212823]
set palette defined (0 '#f7fbff', 0.25 '#c6dbef', 0.5 '#6baed6', 0.75 '#2171b5', 1 '#08306b')
unset grid
unset key
set border 0
$map << EOD
0 0 691.1314465075083 691.1 0x202020
1 0 1245.9639098079222 1246.0 0x202020
2 0 2063.366109200286 2063.4 0x202020
3 0 3249.3535597365244 3249.4 0xffffff
4 0 4202.7092829509265 4202.7 0xffffff
0 1 1333.377010848153 1333.4 0x202020
1 1 2283.3138382470584 2283.3 0x202020
2 1 3443.422632830534 3443.4 0xffffff
3 1 4282.362169876404 4282.4 0xffffff
4 1 4251.4534504839485 4251.5 0xffffff
0 2 2451.2863368993103 2451.3 0x202020
1 2 3617.339238536158 3617.3 0xffffff
2 2 4352.349606166554 4352.3 0xffffff
3 2 4240.956098936099 4241.0 0xffffff
4 2 4508.194563212823 4508.2 0xffffff
4 3 4425.53832665966 4425.5 0xffffff
0 4 3804.573165200977 3804.6 0xffffff
1 4 4370.489573870423 4370.5 0xffffff
2 4 4210.092010346208 4210.1 0xffffff
3 4 4504.2563139477315 4504.3 0xffffff
3 5 4422.913558916996 4422.9 0xffffff
0 6 3575.516352191292 3575.5 0xffffff
1 6 4205.609428830872 4205.6 0xffffff
2 6 4382.195275683449 4382.2 0xffffff
0 7 4052.712463773197 4052.7 0xffffff
1 7 4205.3948205680545 4205.4 0xffffff
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
