// SPDX-License-Identifier: Apache-2.0
// A driver that shows one device and fails its n-th call ($FAKE_FAIL_CALL, from 1; 0 or unset:
// none), for the error paths that a working machine does not take.
#include <cstdlib>
#include <cstring>

namespace {

int calls = 0;

int answer() {
  const char* at = std::getenv("FAKE_FAIL_CALL");
  return at != nullptr && ++calls == std::atoi(at) ? 999 : 0;  // CUDA_ERROR_UNKNOWN
}

}  // namespace

extern "C" {
int cuInit(unsigned) {
  return answer();
}
int cuDriverGetVersion(int* v) {
  *v = 13000;
  return answer();
}
int cuGetErrorName(int code, const char** text) {
  *text = code == 999 ? "CUDA_ERROR_UNKNOWN" : nullptr;
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = "made up";
  return 0;
}
int cuDeviceGetCount(int* n) {
  *n = 1;
  return answer();
}
int cuDeviceGet(int* handle, int) {
  *handle = 0;
  return answer();
}
int cuDeviceGetName(char* text, int size, int) {
  std::strncpy(text, "Fake GPU", static_cast<std::size_t>(size));
  return answer();
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
  *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute;  // compute capability 9.0
  return answer();
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = 1024;
  return answer();
}
}
