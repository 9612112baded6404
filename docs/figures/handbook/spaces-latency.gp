# Made by ptxlab report. To draw it again: gnuplot spaces-latency.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'spaces-latency.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Every memory space: from one dependent access to the next' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set yrange [20.6:-0.6]
set xlabel 'cycles'
set logscale x
set xrange [1:*]
unset key
set lmargin at screen 0.34
set rmargin at screen 0.93
set ytics scale 0
$bars << EOD
0 4 "registers: a dependent addition"
1 23.011904761904763 "shared: a word, by its address"
2 26.008928571428577 "registers: of another lane, by a shuffle"
3 28.001785714285717 "shared: an atomic addition"
4 28.96540178571429 "shared: a word, by an index"
5 34.00446428571429 "constant: nearest cache, one word"
6 34.00446428571429 "global: in L1, by its address"
7 34.71763392857143 "local: an indexed word in L1"
8 39.00446428571429 "global: in L1, by an index"
9 93.99404761904762 "texture: a texel in L1"
10 104.00446428571429 "constant: second cache, one word"
11 185.5044642857143 "shared: of another block of the cluster"
12 265.85825892857144 "global: in L2, its near half"
13 282.7924107142858 "global: in L2, a ring of 4 MiB"
14 299.43973214285717 "global: in L2, its far half"
15 334.3340773809524 "texture: a texel in L2"
16 375.0357142857143 "constant: nearest cache, 32 words"
17 487.7098214285715 "global: in DRAM, every 32 bytes in order"
18 524.8470982142858 "global: an atomic addition in L2"
19 657.9553571428572 "global: in DRAM, in random order"
20 2542.6919642857147 "constant: second cache, 32 words"
EOD
plot $bars using ($2):($0):(1):($2):($0-0.35):($0+0.35):ytic(3) with boxxyerror fillstyle solid 0.8 linecolor rgb '#0072b2', \
  $bars using ($2):($0):(sprintf($2 < 1000 ? ' %.1f' : ' %.0f', $2)) with labels left font ',10'
