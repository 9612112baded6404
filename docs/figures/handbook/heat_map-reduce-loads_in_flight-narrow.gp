# Made by ptxlab report. To draw it again: gnuplot heat_map-reduce-loads_in_flight-narrow.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'heat_map-reduce-loads_in_flight-narrow.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'reduce/loads_in_flight/narrow: throughput over parallelism in a warp and warps' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xtics ('1' 0, '2' 1, '4' 2, '8' 3, '16' 4) scale 0
set ytics ('4' 0, '8' 1, '16' 2, '32' 3, '64' 4) scale 0
set xrange [-0.5:4.5]
set yrange [-0.5:4.5]
set xlabel 'independent instructions per warp (ILP)'
set ylabel 'warps per SM'
set cblabel 'GB/s'
set cbrange [0:4278.537858009255]
set palette defined (0 '#f7fbff', 0.25 '#c6dbef', 0.5 '#6baed6', 0.75 '#2171b5', 1 '#08306b')
unset grid
unset key
set border 0
$map << EOD
0 0 185.2091413256012 185.2 0x202020
1 0 379.03904874868016 379.0 0x202020
2 0 701.3739638623155 701.4 0x202020
3 0 1205.3897437185558 1205.4 0x202020
4 0 1934.2518970316787 1934.3 0x202020
0 1 376.60141993883207 376.6 0x202020
1 1 744.2400245312749 744.2 0x202020
2 1 1343.9244723085594 1343.9 0x202020
3 1 2197.624772860447 2197.6 0x202020
4 1 3267.5523665236014 3267.6 0xffffff
0 2 741.1578122255527 741.2 0x202020
1 2 1435.975232277111 1436.0 0x202020
2 2 2427.1741158168343 2427.2 0xffffff
3 2 3472.1062905103845 3472.1 0xffffff
4 2 4278.537858009255 4278.5 0xffffff
0 3 1429.3991897466913 1429.4 0x202020
1 3 2591.876824912604 2591.9 0xffffff
2 3 3697.0506052071732 3697.1 0xffffff
3 3 4277.726670037353 4277.7 0xffffff
4 3 4157.427576970633 4157.4 0xffffff
0 4 2589.6762173557827 2589.7 0xffffff
1 4 3860.3810639443864 3860.4 0xffffff
2 4 4139.5022387671215 4139.5 0xffffff
3 4 4137.956246615304 4138.0 0xffffff
4 4 4187.503602327093 4187.5 0xffffff
EOD
plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid border linecolor rgb 'white', \
  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb variable
