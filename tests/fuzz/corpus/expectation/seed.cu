// EXPECT(seed): loop polls; strength >= volatile
// EXPECT[nvcc>=13.0,sm_90](s*): both; no loop line 14 of a.cuh exit load+counter; trip == 10
// EXPECT[sm>=90](seed): ptx; opcode(LDG.E*) == 1; occupancy(256) >= 0.5; blocks_per_sm(256) == 8
// EXPECT(seed): every loop load-hoisted in ptxas by 4 full peeled; polls == 1; acquire; width == 32; space == global
// EXPECT(se?d): no finding spin-weak; finding spin-lost; no findings; registers <= 64; spill_store_bytes == 0
/* EXPECT(seed): loop 2 kept; strength == strong.gpu */
