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
//   FAKE_UNWRITTEN=1    the kernel writes no samples
// Compiled with -DFAKE_OLD, it lacks two entry points, as an old driver would.
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
};

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
      *value = 4;
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
  *function = &calls;
  std::strncpy(current, name, sizeof current - 1);
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
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void*, int, std::size_t) {
  *blocks = 2;
  return answer("cuOccupancyMaxActiveBlocksPerMultiprocessor");
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
  *stream = &calls;
  return answer("cuStreamCreate");
}
int cuStreamWaitValue32_v2(void*, std::uint64_t, std::uint32_t, unsigned) {
  return answer("cuStreamWaitValue32");
}
int cuStreamDestroy_v2(void*) {
  return answer("cuStreamDestroy");
}
int cuStreamQuery(void*) {
  if (number("FAKE_HANG", 0) != 0 && concerned()) return 600;  // CUDA_ERROR_NOT_READY
  return answer("cuStreamQuery");
}
int cuLaunchKernelEx(const config* c, void*, void** parameters, void**) {
  if (number("FAKE_EXIT", 0) != 0 && concerned()) std::_Exit(3);
  const timespec pause = {0, number("FAKE_PAUSE_MS", 0) * 1000000L};
  if (concerned()) nanosleep(&pause, nullptr);
  const bool refused = static_cast<int>(c->block[0]) == number("FAKE_FAIL_THREADS", 0);
  const int status = refused ? 701 : answer("cuLaunchKernelEx");
  const auto pointer = [parameters](int i) { return *static_cast<std::uint64_t*>(parameters[i]); };
  if (status == 0)
    run(*c, reinterpret_cast<sample*>(pointer(0)), reinterpret_cast<std::uint64_t*>(pointer(1)));
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
