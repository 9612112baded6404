// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/curand_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "driver/session.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

constexpr const char* file_name = "libcurand.so.10";
constexpr std::size_t all_dimensions = 20000;  // that cuRAND has

std::vector<std::string> places() {
  const char* named = std::getenv("PTXLAB_LIBCURAND");
  if (named != nullptr && *named != '\0') return {named};
  std::vector<std::string> out = {file_name,
                                  driver::project_root() / "build/toolkit/lib" / file_name};
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr && *home != '\0')
    out.push_back(std::string(home) + "/lib64/" + file_name);
  out.push_back(std::string("/usr/local/cuda/lib64/") + file_name);  // where it is installed
  return out;
}

curandRngType_t type_of(kernels::generator::law by) {
  switch (by) {
    case kernels::generator::law::xorwow:
      return CURAND_RNG_PSEUDO_XORWOW;
    case kernels::generator::law::sobol32:
      return CURAND_RNG_QUASI_SOBOL32;
    case kernels::generator::law::scrambled_sobol32:
      break;
  }
  return CURAND_RNG_QUASI_SCRAMBLED_SOBOL32;
}

const char* name_of(curandStatus_t status) {
  switch (status) {
    case CURAND_STATUS_NOT_INITIALIZED:
      return "CURAND_STATUS_NOT_INITIALIZED";
    case CURAND_STATUS_ALLOCATION_FAILED:
      return "CURAND_STATUS_ALLOCATION_FAILED";
    case CURAND_STATUS_OUT_OF_RANGE:
      return "CURAND_STATUS_OUT_OF_RANGE";
    case CURAND_STATUS_LENGTH_NOT_MULTIPLE:
      return "CURAND_STATUS_LENGTH_NOT_MULTIPLE";
    case CURAND_STATUS_LAUNCH_FAILURE:
      return "CURAND_STATUS_LAUNCH_FAILURE";
    case CURAND_STATUS_PREEXISTING_FAILURE:
      return "CURAND_STATUS_PREEXISTING_FAILURE";
    case CURAND_STATUS_INITIALIZATION_FAILED:
      return "CURAND_STATUS_INITIALIZATION_FAILED";
    case CURAND_STATUS_ARCH_MISMATCH:
      return "CURAND_STATUS_ARCH_MISMATCH";
    default:
      return "another error";
  }
}

void check_status(curandStatus_t status, const char* call) {
  if (status != CURAND_STATUS_SUCCESS)
    throw error(fmt::format("{}: {} ({})", call, name_of(status), static_cast<int>(status)));
}

}  // namespace

const curand_library& curand_library::get() {
  static const curand_library once(places());
  return once;
}

curand_library::curand_library(const std::vector<std::string>& files) {
  void* handle = nullptr;
  std::string first_reason;
  for (const std::string& file : files) {
    handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // never closed: it keeps a context
    if (handle != nullptr) break;
    if (first_reason.empty()) first_reason = dlerror();
  }
  if (handle == nullptr) {
    missing_ = "no cuRAND: " + first_reason;
    return;
  }
// NOLINTBEGIN(bugprone-macro-parentheses): a name that is assigned to
#define PTXLAB_CURAND_LOOK_UP(name)                                 \
  name = reinterpret_cast<decltype(&::name)>(dlsym(handle, #name)); \
  if (name == nullptr && missing_.empty()) missing_ = "this cuRAND has no " #name;
  // NOLINTEND(bugprone-macro-parentheses)
  PTXLAB_CURAND_CALLS(PTXLAB_CURAND_LOOK_UP)
#undef PTXLAB_CURAND_LOOK_UP
}

std::string curand_library::about() const {
  if (!missing_.empty()) throw error(missing_);
  int version = 0;
  check_status(curandGetVersion(&version), "curandGetVersion");
  return fmt::format("cuRAND {}.{}.{}", version / 1000, version / 100 % 10, version % 100);
}

std::vector<std::uint32_t> curand_vectors(const curand_library& from, bool scrambled) {
  if (!from.missing().empty()) throw error(from.missing());
  curandDirectionVectors32_t* all = nullptr;
  check_status(from.curandGetDirectionVectors32(
                   &all, scrambled ? CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6
                                   : CURAND_DIRECTION_VECTORS_32_JOEKUO6),
               "curandGetDirectionVectors32");
  return {all[0], all[0] + 32 * all_dimensions};
}

std::vector<std::uint32_t> curand_constants(const curand_library& from) {
  if (!from.missing().empty()) throw error(from.missing());
  unsigned* all = nullptr;
  check_status(from.curandGetScrambleConstants32(&all), "curandGetScrambleConstants32");
  return {all, all + all_dimensions};
}

curand_generator::curand_generator(const curand_library& from, kernels::generator::law by,
                                   place where)
    : from_(from) {
  if (!from.missing().empty()) throw error(from.missing());
  if (where == place::device)
    check(from.curandCreateGenerator(&generator_, type_of(by)), "curandCreateGenerator");
  else
    check(from.curandCreateGeneratorHost(&generator_, type_of(by)), "curandCreateGeneratorHost");
}

curand_generator::~curand_generator() {
  from_.curandDestroyGenerator(generator_);
}

void curand_generator::check(curandStatus_t status, const char* call) const {
  check_status(status, call);
}

void curand_generator::seed(std::uint64_t seed) {
  check(from_.curandSetPseudoRandomGeneratorSeed(generator_, seed),
        "curandSetPseudoRandomGeneratorSeed");
}
void curand_generator::order(curandOrdering_t ordering) {
  check(from_.curandSetGeneratorOrdering(generator_, ordering), "curandSetGeneratorOrdering");
}
void curand_generator::dimensions(unsigned count) {
  check(from_.curandSetQuasiRandomGeneratorDimensions(generator_, count),
        "curandSetQuasiRandomGeneratorDimensions");
}
void curand_generator::offset(std::uint64_t numbers) {
  check(from_.curandSetGeneratorOffset(generator_, numbers), "curandSetGeneratorOffset");
}
void curand_generator::use(CUstream_st* stream) {
  check(from_.curandSetStream(generator_, stream), "curandSetStream");
}
void curand_generator::set_up() {
  check(from_.curandGenerateSeeds(generator_), "curandGenerateSeeds");
}

void curand_generator::generate(kernels::generator::output as, void* to, std::uint64_t numbers) {
  using enum kernels::generator::output;
  switch (as) {
    case bits:
      return check(from_.curandGenerate(generator_, static_cast<unsigned*>(to), numbers),
                   "curandGenerate");
    case uniform:
      return check(from_.curandGenerateUniform(generator_, static_cast<float*>(to), numbers),
                   "curandGenerateUniform");
    case normal:
      return check(from_.curandGenerateNormal(generator_, static_cast<float*>(to), numbers, 0, 1),
                   "curandGenerateNormal");
    case uniform_double:
      return check(from_.curandGenerateUniformDouble(generator_, static_cast<double*>(to), numbers),
                   "curandGenerateUniformDouble");
    case normal_double:
      return check(
          from_.curandGenerateNormalDouble(generator_, static_cast<double*>(to), numbers, 0, 1),
          "curandGenerateNormalDouble");
  }
}

}  // namespace ptxlab::bench
