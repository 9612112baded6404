// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/lab.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/cuda/check.hpp"

namespace ptxlab::bench {
namespace {

/// Which half of L2 is home to an address changes with the page (docs/METHOD.md), and the driver
/// promises less alignment than that.
constexpr std::uint64_t page = 4096;

constexpr std::uint64_t whole_pages(std::uint64_t bytes) {
  return (bytes + page - 1) / page * page;
}

constexpr std::uint64_t scratch_bytes = 4 << 20;

}  // namespace

lab::lab(int ordinal, std::chrono::milliseconds deadline, bool run_refused)
    : deadline_(deadline), run_refused_(run_refused), context_(ordinal), nvml_(gpu().bus_id()) {}

sizes lab::device_sizes() const {
  sizes s;
  s.multiprocessors = gpu().multiprocessors();
  s.max_block_threads = gpu().attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  s.l2_bytes = static_cast<std::uint64_t>(gpu().attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  s.memory_bytes = gpu().memory_bytes();
  return s;
}

void lab::load(const std::string& cubin, const std::string& label, const std::string& symbol) {
  module_ = std::make_unique<cuda::module>(gpu(), cubin, cuda::module::image::cubin, label);
  symbol_ = symbol;
  image_ = cubin;
  launched_.reset();
}

CUdeviceptr lab::memory(std::uint64_t bytes) {
  if (bytes > gpu().memory_bytes() / 2)
    throw error(
        fmt::format("{} bytes are more than half of the memory of {}", bytes, gpu().identify()));
  if (!memory_ || memory_->size() < bytes) {
    memory_.reset();
    memory_ = std::make_unique<cuda::buffer<unsigned char>>(bytes);
  }
  return memory_->address();
}

cuda::residency lab::resident(const cuda::geometry& g) {
  return cuda::co_resident(gpu(), loaded().function(symbol_), g);
}

cuda::module& lab::loaded() {
  if (!module_) throw error("no kernel is loaded");
  return *module_;
}

std::vector<sample> lab::launch(const cuda::geometry& g, const std::vector<std::uint64_t>& operands,
                                std::size_t samples) {
  arm(g, operands, samples);
  queue(g);
  wait();
  return collect();
}

void lab::arm(const cuda::geometry& g, const std::vector<std::uint64_t>& operands,
              std::size_t samples) {
  constexpr std::size_t lanes = 32, most = 16;
  if (operands.size() > device::scratch_operand) throw error("too many operands");
  if (!scratch_) scratch_ = std::make_unique<cuda::buffer<unsigned char>>(scratch_bytes + page);
  scratch_->clear();
  // Word 0 is the zero of address_of(); then each operand once for every lane.
  std::vector<std::uint64_t> words(lanes * most);
  const auto put = [&words](std::size_t index, std::uint64_t value) {
    std::fill_n(words.begin() + static_cast<std::ptrdiff_t>((index + 1) * lanes), lanes, value);
  };
  for (std::size_t i = 0; i < operands.size(); ++i) put(i, operands[i]);
  put(device::scratch_operand, whole_pages(scratch_->address()));
  if (!watch_) watch_ = std::make_unique<cuda::buffer<device::watch>>(1);
  put(device::watch_operand, watch_->address());
  if (!operands_) operands_ = std::make_unique<cuda::buffer<std::uint64_t>>(words.size());
  operands_->upload(words);
  if (!samples_ || samples_->size() < samples)
    samples_ = std::make_unique<cuda::buffer<sample>>(samples);
  samples_->clear();
  armed_ = samples;
  arm(g);
}

void lab::arm(const cuda::geometry& g) {
  if (watch_) watch_->clear();
  function_.emplace(loaded().function(symbol_));
  if (g.dynamic_shared_bytes > 0)
    function_->set_attribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                             static_cast<int>(g.dynamic_shared_bytes));
  cuda::synchronise();  // uploads and clears run on another stream
}

void lab::queue(const cuda::geometry& g, cuda::arguments& a) {
  launched_ = g;
  cuda::launch(gpu(), *function_, g, a, stream_);
}

void lab::queue(const std::string& symbol, const cuda::geometry& g, cuda::arguments& a) {
  launched_ = g;
  cuda::launch(gpu(), loaded().function(symbol), g, a, stream_);
}

void lab::launch(const cuda::geometry& g, cuda::arguments& a) {
  arm(g);
  queue(g, a);
  wait();
}

std::vector<CUdeviceptr> lab::buffers(const std::vector<std::uint64_t>& bytes) {
  cuda::synchronise();  // an earlier point may have failed and left work in the stream
  std::uint64_t all = page;
  for (const std::uint64_t b : bytes) all += whole_pages(b);
  CUdeviceptr at = whole_pages(memory(all));
  cuda::fill(at, 0, all - page);
  std::vector<CUdeviceptr> out;
  for (const std::uint64_t b : bytes) {
    out.push_back(at);
    at += whole_pages(b);
  }
  return out;
}

void lab::keep_in_sight(CUdeviceptr at, std::size_t words) {
  // Memory is got now: the driver may want to wait for the kernel before it gives any.
  if (!sight_ || sight_->size() != words)
    sight_ = std::make_unique<cuda::host_copy<std::uint32_t>>(words);
  seen_from_ = at;
}

std::vector<std::uint32_t> lab::peek() {
  if (!sight_) return {};
  try {
    sight_->take(seen_from_, beside_);
    if (!beside_.wait(std::chrono::seconds(1))) return {};
  } catch (const error&) {
    return {};  // there is a better reason to tell
  }
  return sight_->elements();
}

void lab::queue(const cuda::geometry& g, std::size_t first_sample) {
  cuda::arguments a;
  a.add(samples_->address() + first_sample * sizeof(sample)).add(operands_->address());
  queue(g, a);
}

std::string progress_of(const device::watch& seen, unsigned blocks) {
  blocks = std::min(blocks, device::watch::blocks);
  const unsigned furthest = *std::max_element(seen.begun, seen.begun + blocks);
  if (furthest == 0) return "";
  std::string behind;
  unsigned n = 0;
  constexpr unsigned shown = 12;
  for (unsigned b = 0; b < blocks; ++b) {
    if (seen.begun[b] == furthest) continue;
    if (n++ < shown)
      behind += fmt::format(
          "{}{} {}", behind.empty() ? "" : ", ", b,
          seen.begun[b] == 0 ? "(not started)" : fmt::format("(pass {})", seen.begun[b]));
  }
  if (n == 0) return fmt::format("all {} blocks are in pass {}", blocks, furthest);
  return fmt::format("{} of {} blocks had not arrived in pass {}: {}{}", n, blocks, furthest,
                     behind, n > shown ? ", ..." : "");
}

void lab::hold() {
  *go_ = 0;
  stream_.hold(go_.address());
}

std::optional<device::watch> lab::watched() {
  if (!watch_) return {};
  try {
    watched_.take(watch_->address(), beside_);
    if (!beside_.wait(std::chrono::seconds(1))) return {};
  } catch (const error&) {
    return {};  // there is a better reason to tell
  }
  return watched_.elements().front();
}

void lab::wait() {
  const unsigned blocks = launched_ ? launched_->blocks : 1;
  const bool ended = stream_.wait(deadline_);
  const std::optional<device::watch> seen = watched();
  if (!ended) {
    const std::string progress = seen ? progress_of(*seen, blocks) : "";
    throw hang(fmt::format("{} did not end within {} s{}{}", symbol_, deadline_.count() / 1000,
                           progress.empty() ? "" : "; ", progress));
  }
  if (watch_ && !seen)
    throw error(fmt::format("{}: whether it was given up cannot be read", symbol_));
  if (seen && seen->abandoned != 0)
    throw error(fmt::format("{} was given up by block {} in round {}; {}", symbol_,
                            seen->abandoned_by, seen->abandoned_in, progress_of(*seen, blocks)));
}

std::vector<sample> lab::collect() const {
  std::vector<sample> out = samples_->download();
  out.resize(armed_);
  return out;
}

void lab::warm_up(const cuda::geometry& g, const std::vector<std::uint64_t>& operands,
                  std::size_t samples) {
  warm_up([&] { launch(g, operands, samples); });
}

void lab::warm_up(const std::function<void()>& once) {
  if (warm_) return;
  warm_ = true;
  const auto start = std::chrono::steady_clock::now();
  unsigned highest = 0;
  int unchanged = 0;
  const auto over = [start] {
    return std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(500);
  };
  while (!over() && unchanged < 5) {
    for (int i = 0; i < 50 && !over(); ++i) once();
    const unsigned now = nvml_.look().sm_clock_mhz.value_or(0);
    unchanged = now > highest ? 0 : unchanged + 1;
    highest = std::max(highest, now);
  }
}

results::series cycles_of(const std::vector<sample>& samples, unsigned region, double length) {
  results::series out{length, {}};
  unsigned pass = 0;
  for (const sample& s : samples) {
    if (s.region != region) continue;
    if (s.end <= s.begin)
      throw error("a sample ends before it begins: the kernel did not write it");
    if (pass++ >= cold_passes) out.values.push_back(static_cast<double>(s.end - s.begin));
  }
  if (out.values.empty()) throw error(fmt::format("no samples of region {}", region));
  return out;
}

double clock_of(const std::vector<sample>& samples) {
  if (samples.empty()) return 0;
  const auto [first, last] =
      std::minmax_element(samples.begin(), samples.end(),
                          [](const sample& a, const sample& b) { return a.time_ns < b.time_ns; });
  constexpr std::uint64_t long_enough_ns = 20'000;  // against a timer that may step by 1 us
  if (first->sm != last->sm || last->time_ns - first->time_ns < long_enough_ns) return 0;
  return 1e3 * static_cast<double>(last->begin - first->begin) /
         static_cast<double>(last->time_ns - first->time_ns);
}

}  // namespace ptxlab::bench
