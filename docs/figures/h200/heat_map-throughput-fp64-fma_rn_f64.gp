# Made by ptxlab report. To draw it again: gnuplot heat_map-throughput-fp64-fma_rn_f64.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'heat_map-throughput-fp64-fma_rn_f64.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'throughput/fp64/fma_rn_f64 (DFMA): throughput over parallelism in a warp and warps' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('1' 0, '2' 1, '4' 2, '8' 3) scale 0
set ytics ('1' 0, '2' 1, '4' 2, '8' 3, '16' 4, '32' 5) scale 0
set xrange [-0.5:3.5]
set yrange [-0.5:5.5]
set xlabel 'independent instructions per warp (ILP)'
set ylabel 'warps per SM'
set cblabel 'operation/cycle/SM'
set cbrange [0:58.68868177662409]
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
0 2 15.900283652443251 15.90 0x202020
1 2 31.23969608219294 31.24 0x202020
2 2 54.8877735478399 54.89 0xffffff
3 2 55.62442326405714 55.62 0xffffff
0 3 27.60373024924261 27.60 0x202020
2 3 58.68868177662409 58.69 0xffffff
3 3 56.306947388750224 56.31 0xffffff
0 4 41.91810342992098 41.92 0xffffff
1 4 51.03463298622248 51.03 0xffffff
2 4 55.36998765906969 55.37 0xffffff
3 4 58.368274537601735 58.37 0xffffff
0 5 40.640218071976605 40.64 0xffffff
1 5 46.61725040353312 46.62 0xffffff
2 5 55.232921285189846 55.23 0xffffff
3 5 55.842149397807866 55.84 0xffffff
EOD
$refused << EOD
1 3 invalid
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable, \
  $refused using 1:2:3 with labels font ',9' textcolor rgb '#808080'
