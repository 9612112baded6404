# Made by ptxlab report. To draw it again: gnuplot heat_map-throughput-fp64-fma_rn_f64.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'heat_map-throughput-fp64-fma_rn_f64.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'throughput/fp64/fma_rn_f64 (DFMA): throughput over parallelism in a warp and warps' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab cf5ced7af724' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('1' 0, '2' 1, '4' 2, '8' 3) scale 0
set ytics ('1' 0, '2' 1, '4' 2, '8' 3, '16' 4, '32' 5) scale 0
set xrange [-0.5:3.5]
set yrange [-0.5:5.5]
set xlabel 'independent instructions per warp (ILP)'
set ylabel 'warps per SM'
set cblabel 'operation/cycle/SM'
set cbrange [0:58.70921908098716]
set palette defined (0 '#f7fbff', 0.25 '#c6dbef', 0.5 '#6baed6', 0.75 '#2171b5', 1 '#08306b')
unset grid
unset key
set border 0
$map << EOD
0 0 3.9766990291262134 3.98 0x202020
1 0 7.816793893129771 7.82 0x202020
2 0 13.74496644295302 13.74 0x202020
3 0 13.931972789115646 13.93 0x202020
0 1 7.953398058252427 7.95 0x202020
1 1 15.633587786259541 15.63 0x202020
2 1 27.48993288590604 27.49 0x202020
3 1 27.86394557823129 27.86 0x202020
0 2 15.907400792855073 15.91 0x202020
1 2 31.26998632203187 31.27 0x202020
2 2 54.994370448384615 54.99 0xffffff
3 2 55.74726820811648 55.75 0xffffff
0 3 27.60663722467242 27.61 0x202020
2 3 58.70921908098716 58.71 0xffffff
3 3 56.300895972032194 56.30 0xffffff
0 4 41.90282549467017 41.90 0xffffff
1 4 51.08805778543801 51.09 0xffffff
2 4 55.45383229502603 55.45 0xffffff
3 4 58.55227755184212 58.55 0xffffff
0 5 40.6094776602944 40.61 0xffffff
1 5 46.68641326289152 46.69 0xffffff
2 5 55.24218679273912 55.24 0xffffff
3 5 55.77982968302892 55.78 0xffffff
EOD
$refused << EOD
1 3 invalid
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable, \
  $refused using 1:2:3 with labels font ',9' textcolor rgb '#808080'
