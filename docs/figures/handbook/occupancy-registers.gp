# Made by ptxlab report. To draw it again: gnuplot occupancy-registers.gp
set terminal pngcairo noenhanced size 1000,620 font 'DejaVu Sans,12'
set output 'occupancy-registers.png'
set border 3 linecolor rgb '#404040'
set tics nomirror out
set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 0.5
set label 'Occupancy over registers on sm_90, no shared memory' at screen 0.5, 0.955 center font ',13'
set label 'NVIDIA H200 (sm_90), driver 580.159.04, nvcc 13.0.88, ptxlab 6277db86da1c' at screen 0.5, 0.91 center font ',10' textcolor rgb '#404040'
set tmargin at screen 0.87
set xrange [0:256]
set xtics 32
set xlabel 'registers of a thread'
set ylabel 'occupancy, % of the warps'
set yrange [0:105]
set key outside right center Left reverse samplen 2 font ',10'
$curve0 << EOD
8 100
16 100
24 100
32 100
40 75
48 62.5
56 56.25
64 50
72 43.75
80 37.5
88 31.25
96 31.25
104 25
112 25
120 25
128 25
136 18.75
144 18.75
152 18.75
160 18.75
168 18.75
176 12.5
184 12.5
192 12.5
200 12.5
208 12.5
216 12.5
224 12.5
232 12.5
240 12.5
248 12.5
256 12.5
EOD
$curve1 << EOD
8 93.75
16 93.75
24 93.75
32 93.75
40 75
48 56.25
56 56.25
64 46.875
72 37.5
80 37.5
88 28.125
96 28.125
104 18.75
112 18.75
120 18.75
128 18.75
136 18.75
144 18.75
152 18.75
160 18.75
168 18.75
176 9.375
184 9.375
192 9.375
200 9.375
208 9.375
216 9.375
224 9.375
232 9.375
240 9.375
248 9.375
256 9.375
EOD
$curve2 << EOD
8 100
16 100
24 100
32 100
40 75
48 62.5
56 50
64 50
72 37.5
80 37.5
88 25
96 25
104 25
112 25
120 25
128 25
136 12.5
144 12.5
152 12.5
160 12.5
168 12.5
176 12.5
184 12.5
192 12.5
200 12.5
208 12.5
216 12.5
224 12.5
232 12.5
240 12.5
248 12.5
256 12.5
EOD
$curve3 << EOD
8 100
16 100
24 100
32 100
40 75
48 50
56 50
64 50
72 25
80 25
88 25
96 25
104 25
112 25
120 25
128 25
136 0
144 0
152 0
160 0
168 0
176 0
184 0
192 0
200 0
208 0
216 0
224 0
232 0
240 0
248 0
256 0
EOD
$curve4 << EOD
8 100
16 100
24 100
32 100
40 50
48 50
56 50
64 50
72 0
80 0
88 0
96 0
104 0
112 0
120 0
128 0
136 0
144 0
152 0
160 0
168 0
176 0
184 0
192 0
200 0
208 0
216 0
224 0
232 0
240 0
248 0
256 0
EOD
plot $curve0 using 1:2 with fsteps linewidth 2 dashtype 1 linecolor rgb '#0072b2' title 'blocks of 64', \
  $curve1 using 1:2 with fsteps linewidth 2 dashtype 2 linecolor rgb '#d55e00' title 'blocks of 192', \
  $curve2 using 1:2 with fsteps linewidth 2 dashtype 3 linecolor rgb '#009e73' title 'blocks of 256', \
  $curve3 using 1:2 with fsteps linewidth 2 dashtype 4 linecolor rgb '#cc79a7' title 'blocks of 512', \
  $curve4 using 1:2 with fsteps linewidth 2 dashtype 1 linecolor rgb '#e69f00' title 'blocks of 1024'
