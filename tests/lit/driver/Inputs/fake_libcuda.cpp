// SPDX-License-Identifier: Apache-2.0
// A driver that shows one device, keeps "device memory" on the host, and pretends that every copy
// of a timed kernel takes 4 cycles (or $FAKE_CYCLES). For the error paths that a working machine
// does not take:
//   FAKE_FAIL_CALL=n    the n-th call fails (from 1)
//   FAKE_FAIL_NAME=f    every call of f fails with FAKE_STATUS (default 999, CUDA_ERROR_UNKNOWN)
//   FAKE_HANG=1         no launch ever ends
//   FAKE_EXIT=1         a launch ends the process
//   FAKE_ONLY=k         FAKE_FAIL_NAME, FAKE_HANG, FAKE_EXIT and FAKE_PAUSE_MS: kernel k alone
//   FAKE_FAIL_THREADS=n launches of n threads per block fail
//   FAKE_PAUSE_MS=n     a launch takes that long, less than 1000
//   FAKE_BACKWARDS=1    samples end before they begin
//   FAKE_WRAP=1         the clock passes 2^64 within a sample
//   FAKE_LATIN=1        descriptions of errors are no UTF-8
//   FAKE_SMS=n          multiprocessors (default 4)
//   FAKE_UNWRITTEN=1    the kernel writes no samples
//   FAKE_PEERS=1        devices can reach each other's memory (FAKE_DEVICES=n: there are n)
//   FAKE_STALE=n        in a litmus kernel every n-th reading behind the barrier is an old one
//   FAKE_WRONG=1        an element of a transform, of the means of ones, of a sum in place or of
//                       what was sorted is not what it must be; FAKE_WRONG=nan: the sum is no
//                       number
//   FAKE_RESIDENT=1     blocks per multiprocessor as on an H200, of a kernel with 32 registers and
//                       32 bytes of shared memory, which every kernel says it has; else 2
//   FAKE_LOST=1         of every copy between memories the last byte does not arrive
// A kernel whose name begins with litmus, transform or by_ (a sum in place, by that unroll factor),
// no_barrier, registers, pass_counted, and those of kernels/transfer, have parameters of their own.
// Compiled with -DFAKE_OLD, it lacks two entry points, as an old driver would.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace {

int calls = 0;
char current[256];  // the kernel that was looked up last

int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

bool concerned() {
  const char* only = std::getenv("FAKE_ONLY");
  return only == nullptr || std::strcmp(only, current) == 0;
}

int answer(const char* call) {
  const char* named = std::getenv("FAKE_FAIL_NAME");
  if (named != nullptr && std::strcmp(named, call) == 0 && concerned())
    return number("FAKE_STATUS", 999);
  return ++calls == number("FAKE_FAIL_CALL", 0) ? 999 : 0;
}

struct sample {
  unsigned long long begin, end, time_ns;
  unsigned sm, region;
};

/// Memory that was allocated: no launch may write beyond it.
struct {
  std::uint64_t address;
  std::size_t bytes;
} allocated[64];
int allocations = 0;

std::size_t bytes_left(std::uint64_t address) {
  for (int i = allocations - 1; i >= 0 && i >= allocations - 64; --i) {
    const auto& a = allocated[i % 64];
    if (address >= a.address && address < a.address + a.bytes) return a.address + a.bytes - address;
  }
  return 0;
}

/// What the beginning of CUlaunchConfig looks like.
struct config {
  unsigned grid[3], block[3], shared_bytes;
  void* stream;
};
void* launched_into = nullptr;

template <typename T>
T parameter(void** parameters, int i) {
  T value;
  std::memcpy(&value, parameters[i], sizeof value);
  return value;
}

/// The array that a parameter points to; ends the process where it is not `count` elements long, or
/// has to be zero and is not.
template <typename T>
T* array(void** parameters, int i, std::size_t count, bool zero = false) {
  const auto address = parameter<std::uint64_t>(parameters, i);
  auto* first = reinterpret_cast<T*>(address);
  if (bytes_left(address) < count * sizeof(T)) std::_Exit(4);
  for (std::size_t k = 0; zero && k < count; ++k)
    if (first[k] != T{}) std::_Exit(5);
  return first;
}

void need_state(void** parameters, int i) {
  array<unsigned>(parameters, i, 16384, true);
  if (parameter<std::uint64_t>(parameters, i) % 4096 != 0) std::_Exit(6);
}

/// Where it hangs, block 1 does not come further than round 3.
void run_litmus(const config& c, void** parameters) {
  const auto rounds = parameter<unsigned>(parameters, 3);
  const auto stress = parameter<unsigned>(parameters, 5);
  const unsigned blocks = c.grid[0];
  need_state(parameters, 0);
  array<unsigned>(parameters, 1, 64 * blocks + blocks * c.block[0] * stress, true);
  auto* log = array<unsigned>(parameters, 2, std::size_t{2} * rounds * blocks);
  const int old = number("FAKE_STALE", 0);
  int taken = 0;
  for (unsigned r = 1; r <= rounds; ++r)
    for (unsigned b = 0; b < blocks; ++b) {
      if (number("FAKE_HANG", 0) != 0 && b == 1 && r > 3) continue;
      unsigned* entry = log + ((r - 1) * blocks + b) * 2;
      entry[0] = old > 0 && ++taken % old == 0 ? (r > 2 ? r - 2 : 0) : r;
      entry[1] = r - 1;
    }
}

void run_step(const float* from, float* to, const float* weights, unsigned n, unsigned terms) {
  if (static_cast<double>(n) * terms > 1e7) return;  // nobody waits for that
  for (unsigned j = 0; j < n; ++j) {
    float sum = 0;
    for (unsigned i = 0; i < terms; ++i) sum = std::fmaf(weights[i], from[(j + i) % n], sum);
    to[j] = sum * (1 / static_cast<float>(terms));
  }
}

void run_transform(void** parameters) {
  const auto n = parameter<unsigned>(parameters, 4), terms = parameter<unsigned>(parameters, 5);
  auto *x = array<float>(parameters, 0, n), *p = array<float>(parameters, 1, n);
  auto* weights = array<float>(parameters, 2, terms);
  need_state(parameters, 3);
  for (unsigned i = 0; i < parameter<unsigned>(parameters, 6); ++i) {
    run_step(x, p, weights, n, terms);
    run_step(p, x, weights, n, terms);
  }
  if (number("FAKE_WRONG", 0) != 0) x[5] += 1;
}

void run_means(void** parameters) {
  const auto n = parameter<unsigned>(parameters, 2);
  auto* x = array<float>(parameters, 0, n);
  array<float>(parameters, 1, n, true);
  for (unsigned j = 0; j < n; ++j)
    if (x[j] != 1) std::_Exit(7);
  if (number("FAKE_WRONG", 0) != 0) x[5] = 0;
}

unsigned char byte_of(std::uint64_t i, unsigned seed) {
  const unsigned word = static_cast<unsigned>(i / 4) * 2654435761U ^ seed;
  return static_cast<unsigned char>(word >> 8 * (i % 4));
}

/// Copies as a driver or a kernel would.
void carry(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes - (number("FAKE_LOST", 0) != 0 ? 1 : 0));
}

bool ends_with(const char* text, const char* end) {
  const std::size_t n = std::strlen(text), m = std::strlen(end);
  return n >= m && std::strcmp(text + n - m, end) == 0;
}

/// The kernels of kernels/transfer/copies.cu; false where it is none of them.
bool run_transfer(void** parameters) {
  if (std::strncmp(current, "mapped_to_", 10) == 0) {
    carry(parameter<void*>(parameters, 0), parameter<void*>(parameters, 1),
          parameter<std::uint64_t>(parameters, 2));
    return true;
  }
  const bool writes = std::strcmp(current, "fill") == 0 || ends_with(current, "_to_host");
  const bool reads = std::strcmp(current, "tally") == 0 || ends_with(current, "_to_device") ||
                     ends_with(current, "_to_peer");
  if (!writes && !reads) return false;
  const auto bytes = parameter<std::uint64_t>(parameters, 1);
  auto* data = array<unsigned char>(parameters, 0, bytes);
  const auto seed = parameter<unsigned>(parameters, 2);
  auto* found = reads ? array<std::uint64_t>(parameters, 3, 2) : nullptr;
  for (std::uint64_t i = 0; i < bytes; ++i) {
    if (writes) data[i] = byte_of(i, seed);
    if (writes || data[i] == byte_of(i, seed)) continue;
    ++found[0];
    if (i < found[1]) found[1] = i;
  }
  return true;
}

void run_in_place(unsigned long long factor, void** parameters) {
  const auto n = parameter<unsigned long long>(parameters, 1), left = n / factor;
  auto* a = array<float>(parameters, 0, n);
  for (unsigned long long i = left > 0 ? left : 1; i < n; ++i)
    a[i < left * factor ? i % left : 0] += a[i];
  const char* wrong = std::getenv("FAKE_WRONG");
  if (wrong != nullptr) a[0] = std::strcmp(wrong, "nan") == 0 ? NAN : a[0] + 1;
}

/// Sorts as sort/block/registers does, in n passes of 40 cycles.
void run_sort(void** parameters) {
  const auto n = parameter<unsigned>(parameters, 3);
  const auto* from = array<unsigned>(parameters, 0, n);
  auto* to = array<unsigned>(parameters, 1, n);
  auto* counts = array<std::uint64_t>(parameters, 2, 4, true);
  std::copy(from, from + n, to);
  std::sort(to, to + n);
  if (number("FAKE_WRONG", 0) != 0 && n > 40) std::swap(to[3], to[40]);
  counts[0] = 40ULL * n;
  counts[2] = n;  // passes
}

/// One pass as sort/launches/pass_counted does it, of a thousand keys and a few.
void run_pass(void** parameters) {
  const auto n = parameter<unsigned>(parameters, 2), pass = parameter<unsigned>(parameters, 3);
  auto* keys = array<unsigned>(parameters, 0, n);
  auto* counts = array<std::uint64_t>(parameters, 1, 4);
  if (n > 1100) return;  // nobody waits for that
  for (unsigned i = pass % 2; i + 1 < n; i += 2) {
    if (keys[i] <= keys[i + 1]) continue;
    std::swap(keys[i], keys[i + 1]);
    ++counts[1];                                             // exchanges
    counts[2] = static_cast<std::uint64_t>(pass + 1) << 32;  // the last change
  }
}

/// Regions in turn: of a throughput kernel, which has dynamic shared memory, four of 128 steps for
/// each of the rounds in operand 13; of any other N, 2N and 4N steps with N = 32.
void run(const config& c, sample* out, const std::uint64_t* operands) {
  static unsigned long long now = 1000;
  if (number("FAKE_UNWRITTEN", 0) != 0) return;
  const bool throughput = c.shared_bytes > 0;
  const unsigned regions = throughput ? 4 : 3;
  const auto room = bytes_left(reinterpret_cast<std::uint64_t>(out)) / sizeof(sample);
  unsigned all = throughput ? c.block[0] / 32 * 6 * 4 : 32 * 3;
  if (all > room) all = static_cast<unsigned>(room);
  const unsigned cycles = static_cast<unsigned>(number("FAKE_CYCLES", 4));
  const auto rounds = static_cast<unsigned>(operands[14 * 32]);
  for (unsigned i = 0; i < all; ++i) {
    const unsigned region = i % regions;
    const unsigned copies = throughput ? 128 * rounds : 32U << region;
    out[i] = {now, now + 20 + copies * cycles, now / 2, 7, region};
    if (number("FAKE_BACKWARDS", 0) != 0) out[i].end = now - 1;
    if (number("FAKE_WRAP", 0) != 0) {
      out[i].begin = ~0ULL - 9;
      out[i].end = 10 + copies * cycles;
    }
    if (!throughput) now += 2000;
  }
}

}  // namespace

extern "C" {
int cuInit(unsigned) {
  return answer("cuInit");
}
int cuDriverGetVersion(int* v) {
  *v = number("FAKE_VERSION", 13000);
  return answer("cuDriverGetVersion");
}
int cuGetErrorName(int code, const char** text) {
  *text = code == 999   ? "CUDA_ERROR_UNKNOWN"
          : code == 2   ? "CUDA_ERROR_OUT_OF_MEMORY"
          : code == 701 ? "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"
          : code == 209 ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : code == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                        : nullptr;
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = number("FAKE_LATIN", 0) != 0 ? "\xe9trange" : "made up";
  return 0;
}
int cuDeviceGetCount(int* n) {
  *n = number("FAKE_DEVICES", 1);
  return answer("cuDeviceGetCount");
}
int cuDeviceGet(int* handle, int) {
  *handle = 0;
  return answer("cuDeviceGet");
}
#ifndef FAKE_OLD
int cuDeviceGetName(char* text, int size, int) {
  std::strncpy(text, "Fake GPU", static_cast<std::size_t>(size));
  return answer("cuDeviceGetName");
}
#endif
int cuDeviceGetAttribute(int* value, int attribute, int) {
  switch (attribute) {
    case 1:
      *value = 1024;
      break;  // threads per block
    case 16:
      *value = number("FAKE_SMS", 4);
      break;  // multiprocessors
    case 38:
      *value = 1 << 20;
      break;  // L2 bytes
    case 75:
      *value = 9;
      break;  // compute capability 9.0
    case 76:
      *value = 0;
      break;
    case 95:
      *value = number("FAKE_COOPERATIVE", 1);
      break;
    default:
      *value = attribute;
  }
  return answer("cuDeviceGetAttribute");
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = std::size_t{1} << 30;
  return answer("cuDeviceTotalMem");
}
int cuDeviceGetPCIBusId(char* text, int size, int) {
  std::strncpy(text, "0000:00:00.0", static_cast<std::size_t>(size));
  return answer("cuDeviceGetPCIBusId");
}
int cuDevicePrimaryCtxRetain(void** context, int) {
  *context = &calls;
  return answer("cuDevicePrimaryCtxRetain");
}
int cuDeviceCanAccessPeer(int* can, int, int) {
  *can = number("FAKE_PEERS", 0);
  return answer("cuDeviceCanAccessPeer");
}
int cuDeviceGetP2PAttribute(int* value, int, int, int) {
  *value = 0;  // nothing of the hardware's own
  return answer("cuDeviceGetP2PAttribute");
}
int cuCtxEnablePeerAccess(void*, unsigned) {
  static int enabled = 0;
  const int status = answer("cuCtxEnablePeerAccess");
  return status != 0 ? status : enabled++ < 2 ? 0 : 704;  // a second time it is there already
}
int cuCtxSetCurrent(void*) {
  return answer("cuCtxSetCurrent");
}
#ifndef FAKE_OLD
int cuCtxSynchronize() {
  return answer("cuCtxSynchronize");
}
#endif
int cuModuleLoadDataEx(void** module, const void*, unsigned n, const int* options, void** values) {
  *module = &calls;
  const int status = answer("cuModuleLoadDataEx");
  if (status != 0)
    for (unsigned i = 0; i < n; ++i)
      if (options[i] == 5) std::strcpy(static_cast<char*>(values[i]), "the log of the fake JIT");
  return status;
}
int cuModuleUnload(void*) {
  return answer("cuModuleUnload");
}
int cuModuleGetFunction(void** function, void*, const char* name) {
  static char names[64][sizeof current];
  static unsigned looked_up = 0;
  char* own = names[looked_up++ % 64];
  std::strncpy(own, name, sizeof current - 1);
  std::strcpy(current, own);
  *function = own;
  return answer("cuModuleGetFunction");
}
int cuModuleGetGlobal_v2(std::uint64_t* address, std::size_t* bytes, void*, const char*) {
  static unsigned char variable[65536];
  *address = reinterpret_cast<std::uint64_t>(variable);
  *bytes = sizeof variable;
  return answer("cuModuleGetGlobal");
}
int cuFuncGetAttribute(int* value, int, void*) {
  *value = 32;
  return answer("cuFuncGetAttribute");
}
int cuFuncSetAttribute(void*, int, int) {
  return answer("cuFuncSetAttribute");
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int threads,
                                                std::size_t shared) {
  *blocks = 2;
  if (number("FAKE_RESIDENT", 0) != 0) {
    const int limits[] = {32, 64 / ((threads + 31) / 32),
                          static_cast<int>(228 * 1024 / ((32 + shared + 1024 + 127) / 128 * 128))};
    *blocks = 64;
    for (const int limit : limits) *blocks = limit < *blocks ? limit : *blocks;
  }
  return answer("cuOccupancyMaxActiveBlocksPerMultiprocessor");
}
int cuOccupancyMaxActiveClusters(int* clusters, void*, const config*) {
  *clusters = 3;
  return answer("cuOccupancyMaxActiveClusters");
}
int cuMemAlloc_v2(std::uint64_t* address, std::size_t bytes) {
  *address = reinterpret_cast<std::uint64_t>(std::malloc(bytes));
  allocated[allocations++ % 64] = {*address, bytes};
  return answer("cuMemAlloc");
}
int cuMemFree_v2(std::uint64_t address) {
  std::free(reinterpret_cast<void*>(address));
  return answer("cuMemFree");
}
int cuMemsetD8_v2(std::uint64_t address, unsigned char value, std::size_t bytes) {
  std::memset(reinterpret_cast<void*>(address), value, bytes);
  return answer("cuMemsetD8");
}
int cuMemcpyHtoD_v2(std::uint64_t to, const void* from, std::size_t bytes) {
  std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return answer("cuMemcpyHtoD");
}
int cuMemcpyDtoH_v2(void* to, std::uint64_t from, std::size_t bytes) {
  std::memcpy(to, reinterpret_cast<void*>(from), bytes);
  return answer("cuMemcpyDtoH");
}
int cuMemcpyDtoHAsync_v2(void* to, std::uint64_t from, std::size_t bytes, void*) {
  carry(to, reinterpret_cast<void*>(from), bytes);
  return answer("cuMemcpyDtoHAsync");
}
int cuMemcpyHtoDAsync_v2(std::uint64_t to, const void* from, std::size_t bytes, void*) {
  carry(reinterpret_cast<void*>(to), from, bytes);
  return answer("cuMemcpyHtoDAsync");
}
int cuMemcpyDtoDAsync_v2(std::uint64_t to, std::uint64_t from, std::size_t bytes, void*) {
  carry(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), bytes);
  return answer("cuMemcpyDtoDAsync");
}
int cuMemHostAlloc(void** address, std::size_t bytes, unsigned) {
  *address = std::malloc(bytes);
  return answer("cuMemHostAlloc");
}
int cuMemFreeHost(void* address) {
  std::free(address);
  return answer("cuMemFreeHost");
}
int cuMemHostGetDevicePointer_v2(std::uint64_t* device, void* host, unsigned) {
  *device = reinterpret_cast<std::uint64_t>(host);
  return answer("cuMemHostGetDevicePointer");
}
int cuStreamCreate(void** stream, unsigned) {
  static char streams[64];
  static unsigned made = 0;
  *stream = &streams[made++ % sizeof streams];
  return answer("cuStreamCreate");
}
int cuStreamWaitValue32_v2(void*, std::uint64_t, std::uint32_t, unsigned) {
  return answer("cuStreamWaitValue32");
}
int cuStreamDestroy_v2(void*) {
  return answer("cuStreamDestroy");
}
int cuStreamQuery(void* stream) {
  if (number("FAKE_HANG", 0) != 0 && concerned() && stream == launched_into)
    return 600;  // CUDA_ERROR_NOT_READY
  return answer("cuStreamQuery");
}
int cuLaunchKernelEx(const config* c, void* function, void** parameters, void**) {
  std::strcpy(current, static_cast<const char*>(function));
  if (number("FAKE_EXIT", 0) != 0 && concerned()) std::_Exit(3);
  const timespec pause = {0, number("FAKE_PAUSE_MS", 0) * 1000000L};
  if (concerned()) nanosleep(&pause, nullptr);
  const bool refused = static_cast<int>(c->block[0]) == number("FAKE_FAIL_THREADS", 0);
  const int status = refused ? 701 : answer("cuLaunchKernelEx");
  launched_into = c->stream;
  if (status != 0) return status;
  if (std::strncmp(current, "litmus", 6) == 0)
    run_litmus(*c, parameters);
  else if (std::strncmp(current, "transform", 9) == 0)
    run_transform(parameters);
  else if (std::strcmp(current, "registers") == 0)
    run_sort(parameters);
  else if (std::strcmp(current, "pass_counted") == 0)
    run_pass(parameters);
  else if (std::strcmp(current, "no_barrier") == 0)
    run_means(parameters);
  else if (std::strncmp(current, "by_", 3) == 0 && std::isdigit(current[3]) != 0)
    run_in_place(std::strtoull(current + 3, nullptr, 10), parameters);
  else if (!run_transfer(parameters))
    run(*c, parameter<sample*>(parameters, 0), parameter<std::uint64_t*>(parameters, 1));
  return status;
}
int cuEventCreate(void** event, unsigned) {
  *event = &calls;
  return answer("cuEventCreate");
}
int cuEventDestroy_v2(void*) {
  return answer("cuEventDestroy");
}
int cuEventRecord(void*, void*) {
  return answer("cuEventRecord");
}
int cuEventElapsedTime_v2(float* ms, void*, void*) {
  static float elapsed = 1;
  *ms = elapsed += 0.5F;
  return answer("cuEventElapsedTime");
}
int cuTexObjectCreate(unsigned long long* object, const void*, const void*, const void*) {
  *object = 1;
  return answer("cuTexObjectCreate");
}
int cuTexObjectDestroy(unsigned long long) {
  return answer("cuTexObjectDestroy");
}
}
