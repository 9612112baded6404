// SPDX-License-Identifier: Apache-2.0
// The parts of many numbers in device memory that are looked at, and what is wrong with them.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/bench/drawing.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::bench {

/// Numbers of a part.
inline constexpr std::uint64_t random_window = 1 << 17;

/// Calls `look` with the first number and the count of each part: all of few numbers, of many the
/// two ends and the middle. Gives back the first answer that is not empty.
std::string first_trouble(
    std::uint64_t numbers,
    const std::function<std::string(std::uint64_t first, std::uint64_t count)>& look);

/// Numbers in device memory at `from`, counted from there.
std::vector<double> numbers_at(kernels::generator::output as, CUdeviceptr from, std::uint64_t first,
                               std::uint64_t count);

/// The parts of what `d` drew last.
std::vector<std::vector<double>> windows_of(const drawing& d, kernels::generator::output as);

/// What the host says is wrong with what `d` drew last, or with the memory behind it; empty:
/// nothing.
std::string wrong_in(const drawing& d, kernels::generator::output as);

/// The same of numbers that lie where `d` drew, held against `wanted` parts.
std::string difference(const std::vector<std::vector<double>>& wanted, const drawing& d,
                       kernels::generator::output as);

}  // namespace ptxlab::bench
