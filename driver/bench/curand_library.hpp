// SPDX-License-Identifier: Apache-2.0
// cuRAND's host interface as a rival and as a source to check against: opened at run time, so that
// the program needs no cuRAND.
#pragma once

#include <curand.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace ptxlab::bench {

#define PTXLAB_CURAND_CALLS(X)               \
  X(curandGetVersion)                        \
  X(curandCreateGenerator)                   \
  X(curandCreateGeneratorHost)               \
  X(curandDestroyGenerator)                  \
  X(curandSetStream)                         \
  X(curandSetPseudoRandomGeneratorSeed)      \
  X(curandSetGeneratorOffset)                \
  X(curandSetGeneratorOrdering)              \
  X(curandSetQuasiRandomGeneratorDimensions) \
  X(curandGenerateSeeds)                     \
  X(curandGenerate)                          \
  X(curandGenerateUniform)                   \
  X(curandGenerateNormal)                    \
  X(curandGenerateUniformDouble)             \
  X(curandGenerateNormalDouble)              \
  X(curandGetDirectionVectors32)             \
  X(curandGetScrambleConstants32)

class curand_library {
 public:
  /// $PTXLAB_LIBCURAND, or libcurand.so.10 where the loader, the project's toolkit or
  /// $CUDA_HOME has it; opened once.
  static const curand_library& get();
  explicit curand_library(const std::vector<std::string>& files);
  /// Why it cannot be used, in one line; empty where it can.
  const std::string& missing() const { return missing_; }
  /// "cuRAND 10.4.0". Throws ptxlab::error where it is missing.
  std::string about() const;

// NOLINTNEXTLINE(bugprone-macro-parentheses): a name that is declared
#define PTXLAB_CURAND_MEMBER(name) decltype(&::name) name = nullptr;
  PTXLAB_CURAND_CALLS(PTXLAB_CURAND_MEMBER)
#undef PTXLAB_CURAND_MEMBER

 private:
  std::string missing_;
};

/// The direction vectors of all 20 000 dimensions, 32 words each, and the constants of scrambled
/// sequences. Throw ptxlab::error.
std::vector<std::uint32_t> curand_vectors(const curand_library& from, bool scrambled);
std::vector<std::uint32_t> curand_constants(const curand_library& from);

/// One generator. Errors are ptxlab::error with cuRAND's name for the status.
class curand_generator {
 public:
  enum class place : std::uint8_t { device, host };
  curand_generator(const curand_library& from, kernels::generator::law by, place where);
  ~curand_generator();
  curand_generator(const curand_generator&) = delete;
  curand_generator& operator=(const curand_generator&) = delete;

  void seed(std::uint64_t seed);
  void order(curandOrdering_t ordering);
  void dimensions(unsigned count);
  /// Numbers that are left out; from the beginning of the sequence.
  void offset(std::uint64_t numbers);
  void use(CUstream_st* stream);
  /// Makes the states, which the first generation would do otherwise.
  void set_up();
  /// Puts the generation of `numbers` into the stream; or does it, on the host.
  void generate(kernels::generator::output as, void* to, std::uint64_t numbers);

 private:
  void check(curandStatus_t status, const char* call) const;

  const curand_library& from_;
  curandGenerator_t generator_ = nullptr;
};

}  // namespace ptxlab::bench
