# Made by ptxlab report. To draw it again: gnuplot heat_map-reduce-loads_in_flight-wide.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'heat_map-reduce-loads_in_flight-wide.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'reduce/loads_in_flight/wide: throughput over parallelism in a warp and warps' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('1' 0, '2' 1, '4' 2, '8' 3, '16' 4) scale 0
set ytics ('4' 0, '8' 1, '16' 2, '20' 3, '32' 4, '36' 5, '48' 6, '64' 7) scale 0
set xrange [-0.5:4.5]
set yrange [-0.5:7.5]
set xlabel 'independent instructions per warp (ILP)'
set ylabel 'warps per SM'
set cblabel 'GB/s'
set cbrange [0:4508.48987463719]
set palette defined (0 '#f7fbff', 0.25 '#c6dbef', 0.5 '#6baed6', 0.75 '#2171b5', 1 '#08306b')
unset grid
unset key
set border 0
$map << EOD
0 0 692.1294530756888 692.1 0x202020
1 0 1242.7570394878808 1242.8 0x202020
2 0 2066.032414170611 2066.0 0x202020
3 0 3249.3520361493474 3249.4 0xffffff
4 0 4201.920047614891 4201.9 0xffffff
0 1 1335.4208559031513 1335.4 0x202020
1 1 2287.9062882926773 2287.9 0x202020
2 1 3450.1499305762845 3450.1 0xffffff
3 1 4294.417495987464 4294.4 0xffffff
4 1 4236.404683207553 4236.4 0xffffff
0 2 2452.5405115443327 2452.5 0x202020
1 2 3616.55896110305 3616.6 0xffffff
2 2 4348.120474920113 4348.1 0xffffff
3 2 4235.334423881417 4235.3 0xffffff
4 2 4508.48987463719 4508.5 0xffffff
4 3 4429.046104579024 4429.0 0xffffff
0 4 3797.9032299795167 3797.9 0xffffff
1 4 4355.174047602812 4355.2 0xffffff
2 4 4240.7208899644775 4240.7 0xffffff
3 4 4507.292951890102 4507.3 0xffffff
3 5 4399.750706031842 4399.8 0xffffff
0 6 3569.8104819240593 3569.8 0xffffff
1 6 4193.55688701761 4193.6 0xffffff
2 6 4388.511781765768 4388.5 0xffffff
0 7 4051.031128537982 4051.0 0xffffff
1 7 4190.113655419269 4190.1 0xffffff
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
