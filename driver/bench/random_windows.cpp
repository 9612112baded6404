// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/random_windows.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/bench/random_reference.hpp"
#include "driver/cuda/memory.hpp"

namespace ptxlab::bench {
namespace {

using output = kernels::generator::output;

template <typename T>
std::vector<double> as_doubles(CUdeviceptr from, std::uint64_t first, std::uint64_t count) {
  const std::vector<T> all = cuda::download<T>(from + first * sizeof(T), count);
  return {all.begin(), all.end()};
}

}  // namespace

std::string first_trouble(
    std::uint64_t numbers,
    const std::function<std::string(std::uint64_t first, std::uint64_t count)>& look) {
  std::vector<std::uint64_t> begins = {0};
  if (numbers > random_window) begins.push_back(numbers - random_window);
  if (numbers > 2 * random_window) begins.push_back((numbers - random_window) / 2);
  for (const std::uint64_t first : begins)
    if (std::string wrong = look(first, std::min(random_window, numbers - first)); !wrong.empty())
      return wrong;
  return "";
}

std::vector<double> numbers_at(output as, CUdeviceptr from, std::uint64_t first,
                               std::uint64_t count) {
  switch (as) {
    case output::bits:
      return as_doubles<std::uint32_t>(from, first, count);
    case output::uniform:
    case output::normal:
      return as_doubles<float>(from, first, count);
    case output::uniform_double:
    case output::normal_double:
      break;
  }
  return as_doubles<double>(from, first, count);
}

std::vector<std::vector<double>> windows_of(const drawing& d, output as) {
  std::vector<std::vector<double>> out;
  first_trouble(d.numbers(), [&](std::uint64_t first, std::uint64_t count) {
    out.push_back(numbers_at(as, d.out(), first, count));
    return std::string();
  });
  return out;
}

std::string wrong_in(const drawing& d, output as) {
  const random_output o = output_of(as);
  const auto guard =
      cuda::download<unsigned char>(d.out() + d.numbers() * o.bytes, random_guard_bytes);
  if (std::any_of(guard.begin(), guard.end(), [](unsigned char c) { return c != 0; }))
    return fmt::format("memory behind the {} numbers was written", d.numbers());
  return first_trouble(d.numbers(), [&](std::uint64_t first, std::uint64_t count) {
    return wrong_numbers(numbers_at(as, d.out(), first, count), d.wanted(first, count), o.tolerance,
                         first);
  });
}

std::string difference(const std::vector<std::vector<double>>& wanted, const drawing& d,
                       output as) {
  std::size_t i = 0;
  return first_trouble(d.numbers(), [&](std::uint64_t first, std::uint64_t count) {
    return wrong_numbers(numbers_at(as, d.out(), first, count), wanted.at(i++),
                         output_of(as).tolerance, first);
  });
}

}  // namespace ptxlab::bench
