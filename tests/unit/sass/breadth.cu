// SPDX-License-Identifier: Apache-2.0
// One kernel for each group of SASS instructions, so that the decoder can be compared with
// nvdisasm over all of them: tensor cores, textures, atomics, shuffles, barriers, double precision,
// bulk copies, calls and jump tables.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <curand_kernel.h>
#include <mma.h>

#include <cstdio>
#include <cuda/atomic>
#include <cuda/barrier>
using namespace nvcuda;
namespace cg = cooperative_groups;
__global__ void wm(half* a, half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.f);
  for (int i = 0; i < 4; i++) {
    wmma::load_matrix_sync(fa, a + i * 256, 16);
    wmma::load_matrix_sync(fb, b + i * 256, 16);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void wmh(half* a, half* b, half* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> fc;
  wmma::fill_fragment(fc, __float2half(0.f));
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
__global__ void wmi(signed char* a, signed char* b, int* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
  wmma::fill_fragment(fc, 0);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
#if __CUDA_ARCH__ >= 800
__global__ void wmd(double* a, double* b, double* c) {
  wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
  wmma::fill_fragment(fc, 0.);
  wmma::load_matrix_sync(fa, a, 4);
  wmma::load_matrix_sync(fb, b, 4);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 8, wmma::mem_row_major);
}
__global__ void cpasync(int4* p, int n) {
  __shared__ int4 s[2][128];
  for (int i = 0; i < n; i++) {
    __pipeline_memcpy_async(&s[i & 1][threadIdx.x], p + i * 128 + threadIdx.x, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    p[threadIdx.x] = s[(i + 1) & 1][threadIdx.x ^ 5];
  }
}
__global__ void redux(int* p) {
  p[0] = __reduce_add_sync(~0u, p[1]);
  p[2] = __reduce_max_sync(~0u, (unsigned)p[4]);
  p[5] = __reduce_or_sync(~0u, (unsigned)p[6]);
}
#endif
__global__ void tex(cudaTextureObject_t t, cudaTextureObject_t u, cudaSurfaceObject_t s, float4* o,
                    float x, float y) {
  o[0] = tex2D<float4>(t, x, y);
  o[1].x = tex1Dfetch<float>(u, int(x));
  o[2] = tex3D<float4>(t, x, y, x);
  o[3] = tex2DLod<float4>(t, x, y, x);
  o[4] = tex2Dgather<float4>(t, x, y);
  float2 q = tex2DLayered<float2>(t, x, y, 3);
  o[5].x = q.x;
  o[5].y = q.y;
  surf2Dwrite(o[6], s, 4, 5);
  o[7] = surf2Dread<float4>(s, 4, 8);
  o[8] = tex2DGrad<float4>(t, x, y, make_float2(x, y), make_float2(y, x));
  o[9] = texCubemap<float4>(t, x, y, y);
}
__global__ void atoms(int* p, float* f, double* d, unsigned long long* u, half2* h,
                      __nv_bfloat162* b, int z) {
  __shared__ int s[32];
  __shared__ unsigned long long su[4];
  s[threadIdx.x & 31] = p[0];
  __syncthreads();
  atomicAdd(&s[p[1] & 31], p[2]);
  p[3] = atomicCAS(&s[1], p[4], p[5]);
  p[6] = atomicExch(&s[2], 7);
  p[7] = atomicMax(&s[3], p[0]);
  atomicAdd(f, f[1]);
  f[2] = atomicAdd(f + 3, f[4]);
  atomicAdd(d, d[1]);
  d[2] = atomicAdd(d + 3, 2.);
  u[1] = atomicCAS(u, u[2], u[3]);
  atomicMax(u + 4, u[5]);
  atomicOr(u + 6, u[7]);
  u[8] = atomicExch(u + 9, u[10]);
  su[0] = u[3];
  __syncthreads();
  u[20] = atomicCAS(su, u[5], u[6]);
  atomicAdd(su + 1, u[7]);
  u[22] = su[1];
  atomicAdd(h, h[1]);
  p[9] = atomicInc((unsigned*)p + 10, p[11]);
  atomicAnd_block(p + 12, p[13]);
  p[14] = atomicCAS_system(p + 15, p[16], p[17]);
  atomicAdd(&s[5], 1);
  __syncthreads();
  p[30] = s[5];
  atomicXor(p + 40, p[41]);
  p[60] = atomicSub(p + 61, p[62]);
}
__global__ void shf(int* p, double* d, long long* l) {
  int x = p[threadIdx.x];
  p[1] = __shfl_up_sync(~0u, x, 1);
  p[2] = __shfl_down_sync(~0u, x, p[3]);
  p[4] = __shfl_sync(~0u, x, p[5], 8);
  p[6] = __ballot_sync(~0u, x > 3);
  p[7] = __all_sync(~0u, x > 4);
  p[8] = __match_any_sync(~0u, x);
  int pr;
  p[9] = __match_all_sync(~0u, x, &pr);
  p[10] = pr;
  p[11] = __activemask();
  d[1] = __shfl_xor_sync(~0u, d[2], 4);
  l[1] = __match_any_sync(~0u, l[2]);
  p[12] = __popcll(l[4]);
  p[13] = __ffs(p[14]);
  p[15] = __clz(p[16]);
  p[17] = __brev(p[18]);
  p[19] = __byte_perm(p[20], p[21], p[22]);
  l[5] = l[6] * l[7];
  l[8] = l[9] / l[10];
  p[23] = __dp4a(p[24], p[25], p[26]);
  p[27] = __vadd4(p[28], p[29]);
  p[30] = __sad(p[31], p[32], p[33]);
  p[34] = __mulhi(p[35], p[36]);
  p[37] = __funnelshift_l(p[38], p[39], p[40]);
  l[11] = l[12] << p[0];
  l[13] = max(l[14], l[15]);
  l[16] = l[17] < l[18] ? l[19] : l[20];
  l[21] = clock64();
  p[41] = __vmaxs2(p[42], p[43]);
  p[44] = max(max(p[45], p[46]), p[47]);
  p[48] = __umul24(p[49], p[50]);
  p[51] = p[52] % p[53];
  p[54] = p[55] / 7;
  p[56] = __isShared(p);
  l[22] = __mul64hi(l[23], l[24]);
}
__global__ void mth(float* f, double* d, half* h, half2* h2, __nv_bfloat162* b2) {
  f[0] = expf(f[1]);
  f[2] = __sinf(f[3]);
  f[4] = logf(f[5]);
  f[6] = rsqrtf(f[7]);
  f[8] = sqrtf(f[9]);
  f[10] = powf(f[11], f[12]);
  f[13] = fmaf(f[14], f[15], f[16]);
  f[17] = fminf(f[18], f[19]);
  d[0] = exp(d[1]);
  d[2] = sin(d[3]);
  d[4] = fma(d[5], d[6], d[7]);
  d[8] = d[9] > d[10] ? d[11] : d[12];
  d[13] = fmax(d[14], d[15]);
  d[16] = f[1];
  f[20] = d[17];
  d[18] = int(f[4]);
  d[19] = (long long)(d[20]);
  d[21] = (unsigned long long)f[21];
  h[0] = h[1] * h[2] + h[3];
  h2[0] = __hfma2(h2[1], h2[2], h2[3]);
  h2[4] = __hadd2(h2[5], h2[6]);
  h[4] = __float2half(f[30]);
  f[31] = __half2float(h[5]);
#if __CUDA_ARCH__ >= 800
  b2[0] = __hfma2(b2[1], b2[2], b2[3]);
#endif
  h[6] = hexp(h[7]);
  if (__hgt(h[8], h[9])) h[10] = h[11];
  h2[7] = __hmax2(h2[8], h2[9]);
  h[20] = __hmax(h[21], h[22]);
  f[32] = truncf(f[33]) + roundf(f[34]) + floorf(f[35]);
  f[36] = tanhf(f[37]);
  d[30] = rint(d[31]);
  d[32] = 1 / d[33];
  d[34] = rsqrt(d[35]);
  d[40] = lgamma(d[41]);
  f[50] = normcdff(f[51]);
  f[52] = f[53] * 2 + (f[54] < 0 ? 1 : 2);
  f[55] = __saturatef(f[56]);
  if (isnan(d[44]) || d[45] <= d[46]) d[47] = 3;
  d[50] = d[51] * d[52];
  d[53] = d[54] + d[55];
  h2[30] = __hmul2(h2[31], h2[32]);
  h2[33] = __hgt2(h2[34], h2[35]);
}
__global__ void coop(int* p) {
  auto g = cg::this_grid();
  p[g.thread_rank()] = 1;
  g.sync();
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<8>(b);
  p[t.thread_rank()] = t.shfl(p[3], 2);
  auto c = cg::coalesced_threads();
  if (p[4]) {
    auto c2 = cg::coalesced_threads();
    p[5] = c2.size();
    c2.sync();
  }
}
__global__ void catom(cuda::atomic<int, cuda::thread_scope_device>* a,
                      cuda::atomic<int, cuda::thread_scope_system>* b,
                      cuda::atomic<int, cuda::thread_scope_block>* c,
                      cuda::atomic<long long, cuda::thread_scope_device>* l) {
  while (a->load(cuda::memory_order_acquire) == 0)
    ;
  while (b->load(cuda::memory_order_relaxed) == 0)
    ;
  while (c->load() == 0)
    ;
  a->store(2, cuda::memory_order_release);
  b->fetch_add(3);
  c->fetch_max(4);
  int e = 3;
  while (!a->compare_exchange_weak(e, 5))
    ;
  l->fetch_xor(7, cuda::memory_order_relaxed);
  l->store(3);
  while (l->load() != 4) __nanosleep(20);
}
__global__ void bar(int* p) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0) init(&b, blockDim.x);
  __syncthreads();
  p[threadIdx.x] = 3;
  b.arrive_and_wait();
  p[0] = __syncthreads_count(p[1]);
  p[2] = __syncthreads_or(p[3]);
  asm volatile("bar.sync 1,64;");
  asm volatile("bar.arrive 2,64;");
  asm volatile("barrier.sync 3;");
  __threadfence_block();
  __threadfence_system();
}
__global__ void rng(curandState* s, float* f, double* d) {
  curandState l = *s;
  curand_init(1, 2, 3, &l);
  f[0] = curand_normal(&l);
  d[0] = curand_uniform_double(&l);
  *s = l;
  curandStatePhilox4_32_10_t q;
  curand_init(3, 4, 5, &q);
  float4 v = curand_uniform4(&q);
  f[1] = v.x + v.y;
}
__global__ void mem(const int* __restrict__ a, volatile int* v, int* w, char* c, short* s, int4* q,
                    longlong2* ll) {
  w[0] = a[threadIdx.x];
  w[1] = __ldg(a + 5);
  w[2] = v[3];
  v[4] = 3;
  c[0] = c[1] + 2;
  s[0] = s[1] * 3;
  q[0] = q[1];
  q[5] = __ldcg(q + 6);
  __stcs(q + 7, q[8]);
  ll[0] = ll[1];
  w[9] = __ldcv(w + 10);
  w[11] = __ldlu(w + 12);
  __stwt(w + 13, 4);
  int loc[16];
  for (int i = 0; i < 16; i++) loc[i] = w[i + 20];
  w[50] = loc[w[51] & 15];
  c[4] = (signed char)c[w[3]];
  unsigned char* uc = (unsigned char*)c;
  uc[5] = uc[6] >> 1;
  asm volatile("prefetch.global.L2 [%0];" ::"l"(a));
  extern __shared__ int4 dyn[];
  dyn[threadIdx.x] = q[9];
  __syncthreads();
  q[10] = dyn[threadIdx.x ^ 1];
  ((char*)dyn)[w[7]] = 3;
  __syncthreads();
  c[8] = ((char*)dyn)[w[8]];
  ((long long*)dyn)[w[1]] = ((long long*)q)[4];
  __syncthreads();
  ((long long*)q)[9] = ((long long*)dyn)[w[12]];
  int* gen = w[3] ? w : (int*)dyn;
  gen[w[4]] += 2;
  atomicAdd(gen + 1, 3);
}
__constant__ int cm[64];
__constant__ double cd[16];
__global__ void cst(int* p, double* d) {
  p[0] = cm[threadIdx.x];
  p[1] = cm[3];
  d[0] = cd[p[2]] * cd[5];
  for (int i = 0; i < p[3]; i++) p[4] += cm[i];
}
struct big {
  int a[64];
};
__global__ void par(big b, int* p, double q) {
  p[0] = b.a[threadIdx.x & 63];
  p[1] = b.a[5];
  p[2] = q > 3;
  ((double*)p)[5] = q * ((double*)p)[8];
}
#if __CUDA_ARCH__ >= 900
#include <cuda/ptx>
__global__ void __cluster_dims__(2) clus(int* p) {
  auto c = cg::this_cluster();
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];
  c.sync();
  int* r = c.map_shared_rank(s, 1);
  p[threadIdx.x] = r[3];
  atomicAdd(r + 4, 5);
  c.sync();
  asm volatile("griddepcontrol.wait;");
  asm volatile("fence.proxy.async;");
}
__global__ void bulk(char* p) {
  __shared__ alignas(128) char s[1024];
  __shared__ alignas(8) unsigned long long m;
  unsigned a = __cvta_generic_to_shared(s), b = __cvta_generic_to_shared(&m);
  asm volatile("mbarrier.init.shared.b64 [%0],1;" ::"r"(b));
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],1024,[%2];" ::
          "r"(a),
      "l"(p), "r"(b)
      : "memory");
  asm volatile("{.reg .b64 t; mbarrier.arrive.expect_tx.shared.b64 t,[%0],1024;}" ::"r"(b)
               : "memory");
  asm volatile(
      "{.reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p,[%0],0; @!p bra W;}" ::"r"(b)
      : "memory");
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],1024;" ::"l"(p + 4096), "r"(a)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;");
  asm volatile("cp.async.bulk.wait_group 0;");
  asm volatile(
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%0],[%1],1024;" ::"l"(p), "r"(a)
      : "memory");
}
#endif
__global__ void ldm(unsigned* p) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  unsigned a, b, c, d;
  unsigned ad = __cvta_generic_to_shared(s + threadIdx.x * 4);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];"
               : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
               : "r"(ad));
  p[0] = a;
  p[1] = b;
  p[2] = c;
  p[3] = d;
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1},[%2];"
               : "=r"(a), "=r"(b)
               : "r"(ad));
  p[4] = a;
  p[5] = b;
}
__device__ __noinline__ float helper(float x) {
  return x / 3.7f + sinf(x);
}
__device__ __noinline__ int rec(int n) {
  return n < 2 ? 1 : rec(n - 1) + rec(n - 2);
}
__device__ int f1(int a) {
  return a * 2;
}
__device__ int f2(int a) {
  return a * a - 7;
}
__device__ int (*table[2])(int) = {f1, f2};
__global__ void call(float* p) {
  p[threadIdx.x] = helper(p[threadIdx.x]) / p[3];
}
__global__ void recur(int* p) {
  *p = rec(*p);
}
__global__ void indirect(int* p) {
  *p = table[*p & 1](*p);
}
__global__ void sw(int* p, int n) {
  switch (n) {
    case 0:
      p[0] = 1;
      break;
    case 1:
      p[1] = atomicAdd(p, 2);
      break;
    case 2:
      p[4] = __popc(n + p[2]);
      break;
    case 3:
      p[5] = p[3] * p[7];
      break;
    case 4:
      p[6] = p[1] / p[2];
      break;
    case 5:
      p[7] = clock();
      break;
    case 6:
      p[8] = p[9] ^ p[1];
      break;
    case 7:
      __syncthreads();
      p[9] = 3;
      break;
    case 8:
      __threadfence();
      p[3] = 4;
      break;
    default:
      p[10] = 5;
  }
}
__global__ void pr(int n) {
  if (n > 3) printf("hi %d\n", n);
  if (n == 7) __trap();
  if (n == 9) asm volatile("brkpt;");
}
__global__ void lock(int* l, int* c) {
  while (atomicCAS(l, 0, 1) != 0)
    ;
  c[0]++;
  __threadfence();
  atomicExch(l, 0);
}
