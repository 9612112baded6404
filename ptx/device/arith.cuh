// SPDX-License-Identifier: Apache-2.0
// One-instruction wrappers of arithmetic that C++ has no spelling for. The name is the PTX mnemonic
// with underscores. No asm here is `volatile` and none names "memory": each is a pure function of
// its operands, and nvcc may merge, move or drop it like any other arithmetic.
//
// An architecture without the instruction gets the operand back: the kernels assemble everywhere,
// and the gate says what is missing.
#pragma once

namespace ptxlab::device {

__device__ __forceinline__ int mul24_lo_s32(int a, int b) {
  int d;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned mul24_lo_u32(unsigned a, unsigned b) {
  unsigned d;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ float div_approx_f32(float a, float b) {
  float d;
  asm("div.approx.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  return d;
}

__device__ __forceinline__ float div_full_f32(float a, float b) {
  float d;
  asm("div.full.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  return d;
}

__device__ __forceinline__ float rcp_approx_f32(float a) {
  float d;
  asm("rcp.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float rcp_approx_ftz_f32(float a) {
  float d;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float sqrt_approx_f32(float a) {
  float d;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float sqrt_approx_ftz_f32(float a) {
  float d;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float rsqrt_approx_ftz_f32(float a) {
  float d;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ int add_s32(int a, int b) {
  int d;
  asm("add.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ int sub_s32(int a, int b) {
  int d;
  asm("sub.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ int mul_lo_s32(int a, int b) {
  int d;
  asm("mul.lo.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ int min_s32(int a, int b) {
  int d;
  asm("min.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ int max_s32(int a, int b) {
  int d;
  asm("max.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ int mad_lo_s32(int a, int b, int c) {
  int d;
  asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__device__ __forceinline__ int mad24_lo_s32(int a, int b, int c) {
  int d;
  asm("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__device__ __forceinline__ unsigned mul_hi_u32(unsigned a, unsigned b) {
  unsigned d;
  asm("mul.hi.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned sad_u32(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__device__ __forceinline__ unsigned long long mul_wide_u32(unsigned a, unsigned b) {
  unsigned long long d;
  asm("mul.wide.u32 %0, %1, %2;" : "=l"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned long long mad_wide_u32(unsigned a, unsigned b,
                                                           unsigned long long c) {
  unsigned long long d;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(d) : "r"(a), "r"(b), "l"(c));
  return d;
}

__device__ __forceinline__ int abs_s32(int a) {
  int d;
  asm("abs.s32 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ int neg_s32(int a) {
  int d;
  asm("neg.s32 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ unsigned and_b32(unsigned a, unsigned b) {
  unsigned d;
  asm("and.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned or_b32(unsigned a, unsigned b) {
  unsigned d;
  asm("or.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned xor_b32(unsigned a, unsigned b) {
  unsigned d;
  asm("xor.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned shl_b32(unsigned a, unsigned b) {
  unsigned d;
  asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ int shr_s32(int a, unsigned b) {
  int d;
  asm("shr.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned shf_l_wrap_b32(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__device__ __forceinline__ unsigned shf_r_clamp_b32(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__device__ __forceinline__ unsigned popc_b32(unsigned a) {
  unsigned d;
  asm("popc.b32 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ unsigned clz_b32(unsigned a) {
  unsigned d;
  asm("clz.b32 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ unsigned brev_b32(unsigned a) {
  unsigned d;
  asm("brev.b32 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ unsigned bfind_u32(unsigned a) {
  unsigned d;
  asm("bfind.u32 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ unsigned bfe_u32(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__device__ __forceinline__ unsigned bfi_b32(unsigned a, unsigned b, unsigned c, unsigned d) {
  unsigned r;
  asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d));
  return r;
}

__device__ __forceinline__ unsigned prmt_b32(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__device__ __forceinline__ long long add_s64(long long a, long long b) {
  long long d;
  asm("add.s64 %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b));
  return d;
}

__device__ __forceinline__ long long mul_lo_s64(long long a, long long b) {
  long long d;
  asm("mul.lo.s64 %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b));
  return d;
}

__device__ __forceinline__ long long mad_lo_s64(long long a, long long b, long long c) {
  long long d;
  asm("mad.lo.s64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
  return d;
}

__device__ __forceinline__ unsigned long long shl_b64(unsigned long long a, unsigned b) {
  unsigned long long d;
  asm("shl.b64 %0, %1, %2;" : "=l"(d) : "l"(a), "r"(b));
  return d;
}

__device__ __forceinline__ long long min_s64(long long a, long long b) {
  long long d;
  asm("min.s64 %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b));
  return d;
}

__device__ __forceinline__ unsigned popc_b64(unsigned long long a) {
  unsigned d;
  asm("popc.b64 %0, %1;" : "=r"(d) : "l"(a));
  return d;
}

__device__ __forceinline__ int dp4a_s32_s32(int a, int b, int c) {
  int d;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__device__ __forceinline__ int dp2a_lo_s32_s32(int a, int b, int c) {
  int d;
  asm("dp2a.lo.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__device__ __forceinline__ float min_f32(float a, float b) {
  float d;
  asm("min.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  return d;
}

__device__ __forceinline__ double min_f64(double a, double b) {
  double d;
  asm("min.f64 %0, %1, %2;" : "=d"(d) : "d"(a), "d"(b));
  return d;
}

__device__ __forceinline__ float max_f32(float a, float b) {
  float d;
  asm("max.f32 %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));
  return d;
}

__device__ __forceinline__ double max_f64(double a, double b) {
  double d;
  asm("max.f64 %0, %1, %2;" : "=d"(d) : "d"(a), "d"(b));
  return d;
}

__device__ __forceinline__ float abs_f32(float a) {
  float d;
  asm("abs.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float neg_f32(float a) {
  float d;
  asm("neg.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float sin_approx_f32(float a) {
  float d;
  asm("sin.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float cos_approx_f32(float a) {
  float d;
  asm("cos.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float ex2_approx_ftz_f32(float a) {
  float d;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float lg2_approx_f32(float a) {
  float d;
  asm("lg2.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float lg2_approx_ftz_f32(float a) {
  float d;
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float tanh_approx_f32(float a) {
  float d;
  asm("tanh.approx.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ unsigned add_rn_f16x2(unsigned a, unsigned b) {
  unsigned d;
  asm("add.rn.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned mul_rn_f16x2(unsigned a, unsigned b) {
  unsigned d;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned fma_rn_f16x2(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

__device__ __forceinline__ unsigned fma_rn_bf16x2(unsigned a, unsigned b, unsigned c) {
#if __CUDA_ARCH__ >= 800
  unsigned d;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
#else
  return a;
#endif
}

__device__ __forceinline__ unsigned min_f16x2(unsigned a, unsigned b) {
#if __CUDA_ARCH__ >= 800
  unsigned d;
  asm("min.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
#else
  return a;
#endif
}

__device__ __forceinline__ unsigned max_f16x2(unsigned a, unsigned b) {
#if __CUDA_ARCH__ >= 800
  unsigned d;
  asm("max.f16x2 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
#else
  return a;
#endif
}

__device__ __forceinline__ unsigned ex2_approx_f16x2(unsigned a) {
  unsigned d;
  asm("ex2.approx.f16x2 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ unsigned tanh_approx_f16x2(unsigned a) {
  unsigned d;
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ float cvt_rni_f32_f32(float a) {
  float d;
  asm("cvt.rni.f32.f32 %0, %1;" : "=f"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float cvt_rn_f32_s32(int a) {
  float d;
  asm("cvt.rn.f32.s32 %0, %1;" : "=f"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ int cvt_rni_s32_f32(float a) {
  int d;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ float cvt_rn_f32_f64(double a) {
  float d;
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(d) : "d"(a));
  return d;
}

__device__ __forceinline__ double cvt_f64_f32(float a) {
  double d;
  asm("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(a));
  return d;
}

__device__ __forceinline__ long long cvt_s64_s32(int a) {
  long long d;
  asm("cvt.s64.s32 %0, %1;" : "=l"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ unsigned cvt_u32_u64(unsigned long long a) {
  unsigned d;
  asm("cvt.u32.u64 %0, %1;" : "=r"(d) : "l"(a));
  return d;
}

__device__ __forceinline__ unsigned cvt_pack_sat_s16_s32(int a, int b) {
  unsigned d;
  asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned cvt_rn_f16x2_f32(float a, float b) {
#if __CUDA_ARCH__ >= 800
  unsigned d;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(d) : "f"(a), "f"(b));
  return d;
#else
  return static_cast<unsigned>(a);
#endif
}

__device__ __forceinline__ int div_s32(int a, int b) {
  int d;
  asm("div.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ int rem_s32(int a, int b) {
  int d;
  asm("rem.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned div_u32(unsigned a, unsigned b) {
  unsigned d;
  asm("div.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned rem_u32(unsigned a, unsigned b) {
  unsigned d;
  asm("rem.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned long long div_u64(unsigned long long a, unsigned long long b) {
  unsigned long long d;
  asm("div.u64 %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b));
  return d;
}

__device__ __forceinline__ unsigned long long rem_u64(unsigned long long a, unsigned long long b) {
  unsigned long long d;
  asm("rem.u64 %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b));
  return d;
}

/// Any function of three bits: `Table` is its value for (1,1,1) down to (0,0,0).
template <unsigned Table>
__device__ __forceinline__ unsigned lop3_b32(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "n"(Table));
  return d;
}

/// add.cc and addc on the halves of 64 bits.
__device__ __forceinline__ unsigned long long add_cc_addc_u32(unsigned long long a,
                                                              unsigned long long b) {
  unsigned long long d;
  asm("{\n\t.reg .u32 al, ah, bl, bh;\n\t"
      "mov.b64 {al, ah}, %1;\n\tmov.b64 {bl, bh}, %2;\n\t"
      "add.cc.u32 al, al, bl;\n\taddc.u32 ah, ah, bh;\n\t"
      "mov.b64 %0, {al, ah};\n\t}"
      : "=l"(d)
      : "l"(a), "l"(b));
  return d;
}

/// cvt.rn.f16.f32 and back: what is left of `a` in half precision.
__device__ __forceinline__ float cvt_f16_f32_and_back(float a) {
  float d;
  asm("{\n\t.reg .b16 h;\n\tcvt.rn.f16.f32 h, %1;\n\tcvt.f32.f16 %0, h;\n\t}" : "=f"(d) : "f"(a));
  return d;
}

/// setp.lt and selp: a < b ? c : d.
__device__ __forceinline__ int setp_selp_s32(int a, int b, int c, int d) {
  int r;
  asm("{\n\t.reg .pred p;\n\tsetp.lt.s32 p, %1, %2;\n\tselp.s32 %0, %3, %4, p;\n\t}"
      : "=r"(r)
      : "r"(a), "r"(b), "r"(c), "r"(d));
  return r;
}
__device__ __forceinline__ float setp_selp_f32(float a, float b, float c, float d) {
  float r;
  asm("{\n\t.reg .pred p;\n\tsetp.lt.f32 p, %1, %2;\n\tselp.f32 %0, %3, %4, p;\n\t}"
      : "=f"(r)
      : "f"(a), "f"(b), "f"(c), "f"(d));
  return r;
}

/// setp of a setp: a < b && c < d ? c : d.
__device__ __forceinline__ int setp_and_selp_s32(int a, int b, int c, int d) {
  int r;
  asm("{\n\t.reg .pred p, q;\n\tsetp.lt.s32 p, %1, %2;\n\t"
      "setp.lt.and.s32 q, %3, %4, p;\n\tselp.s32 %0, %3, %4, q;\n\t}"
      : "=r"(r)
      : "r"(a), "r"(b), "r"(c), "r"(d));
  return r;
}

/// c >= 0 ? a : b.
__device__ __forceinline__ int slct_s32_s32(int a, int b, int c) {
  int d;
  asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}

}  // namespace ptxlab::device
