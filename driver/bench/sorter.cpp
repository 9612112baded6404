// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/sorter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "driver/cuda/memory.hpp"

namespace ptxlab::bench {
namespace {

using place = kernels::sort::place;

constexpr unsigned warp_threads = 32, most_threads = 1024;
constexpr std::uint64_t state_bytes = 64 << 10;
/// A stream takes about a thousand launches before whoever queues has to wait; one that is held
/// would wait for ever, also with a graph of so many.
constexpr unsigned most_held = 500;
constexpr std::chrono::seconds longest_look{2};

constexpr unsigned ceiling(std::uint64_t n, std::uint64_t part) {
  return static_cast<unsigned>((n + part - 1) / part);
}

}  // namespace

sort_shape shape_of(const kernels::measurement& m, unsigned n, int multiprocessors) {
  const kernels::sort& s = m.sort;
  if (s.in == place::block)
    return {1, std::clamp(ceiling(n, s.warp_keys) * warp_threads, warp_threads, most_threads)};
  std::vector<unsigned> threads = m.threads.empty() ? std::vector<unsigned>{256} : m.threads;
  std::sort(threads.begin(), threads.end());
  const auto sms = static_cast<unsigned>(std::max(multiprocessors, 1));
  sort_shape out;
  for (const unsigned t : threads) {
    const unsigned keys = t / warp_threads * s.warp_keys;
    if (keys <= s.borrowed) continue;
    out = {std::max(1U, ceiling(n, keys - s.borrowed)), t};
    if (out.blocks <= sms) break;
  }
  if (s.in == place::grid && s.passes == 1) out.blocks = std::min(out.blocks, sms);
  return out;
}

unsigned launches_of(const kernels::sort& s, unsigned n) {
  return s.in == place::launches ? ceiling(n, s.passes) : 1;
}

std::string sort_refusal(const kernels::measurement& m, double n, const sizes& s) {
  constexpr double most = 2147483647;
  if (n > most) return "places of keys are numbers of 31 bits: no more than 2147483647 of them";
  if (m.sort.most != 0 && n > static_cast<double>(m.sort.most))
    return fmt::format("one launch sorts at most {} keys", m.sort.most);
  // Twice the words, and as much for a rival.
  const double bytes = 4.0 * 4.0 * n * sort_rows(m.sort);
  if (bytes > static_cast<double>(s.memory_bytes) / 2)
    return fmt::format("{:.0f} bytes are more than half of the memory", bytes);
  const sort_shape shape = shape_of(m, static_cast<unsigned>(n), s.multiprocessors);
  if (m.sort.in == place::grid && shape.blocks > static_cast<unsigned>(s.multiprocessors))
    return fmt::format("{} blocks cannot wait for each other on {} SMs", shape.blocks,
                       s.multiprocessors);
  return "";
}

sorter::sorter(lab& l, const kernels::variant& v, unsigned most, unsigned looks)
    : lab_(l), measured_(v.measure), how_(v.measure.sort), looks_(looks) {
  const std::uint64_t bytes =
      std::max<std::uint64_t>(most, 1) * sort_rows(how_) * sizeof(std::uint32_t);
  memory_ = lab_.buffers({bytes, bytes, sizeof(device::sort_counts), state_bytes});
  g_.cooperative = measured_.cooperative;
  g_.spins = how_.in == place::grid;
  g_.unchecked = l.runs_refused();
}

void sorter::start(const sort_words& in, unsigned n) {
  n_ = n;
  const sort_shape shape = shape_of(measured_, n, lab_.device_sizes().multiprocessors);
  g_.blocks = shape.blocks;
  g_.block_threads = shape.threads;
  if (!in.empty()) cuda::upload(memory_[0], in);
  cuda::fill(memory_[2], 0, sizeof(device::sort_counts));
  cuda::fill(memory_[3], 0, state_bytes);
  lab_.arm(g_);
}

bool sorter::waits() const {
  return looks_ > 0 || launches_of(how_, n_) > most_held;
}

void sorter::queue_launch(CUdeviceptr from, CUdeviceptr to, unsigned number) {
  cuda::arguments a;
  a.add(from);
  if (moves()) a.add(to);
  a.add(memory_[2]);
  if (how_.in == place::grid) a.add(memory_[3]);
  a.add(n_);
  if (how_.in == place::launches && !moves()) a.add(number);
  lab_.queue(g_, a);
  ++launched_;
}

void sorter::queue() {
  const unsigned launches = launches_of(how_, n_);
  launched_ = 0;
  for (unsigned i = 0; i < launches; ++i) {
    const unsigned from = moves() ? i % 2 : 0;
    queue_launch(memory_[from], memory_[1 - from], i);
    if (looks_ == 0 || (i + 1) % looks_ != 0) continue;
    if (unchanged()) break;
  }
}

bool sorter::unchanged() {
  looked_.take(memory_[2], lab_.queue_of());
  const auto end = std::chrono::steady_clock::now() + longest_look;
  while (!lab_.queue_of().wait(std::chrono::milliseconds(0)))
    if (std::chrono::steady_clock::now() > end) lab_.wait();  // it says what hangs
  return launched_ >= looked_.elements().front().last_change + 2;
}

void sorter::sort(const sort_words& in, unsigned n) {
  start(in, n);
  queue();
  lab_.wait();
}

device::sort_counts sorter::counts() const {
  return cuda::download<device::sort_counts>(memory_[2], 1).front();
}

std::uint64_t sorter::passes() const {
  return how_.in == place::launches ? launched_ * how_.passes : counts().passes;
}

sort_words sorter::result() const {
  const std::size_t words = std::size_t{n_} * sort_rows(how_);
  if (words == 0) return {};
  std::uint64_t moved = 0;
  if (how_.in == place::block) moved = 1;
  if (how_.in != place::block && moves()) moved = passes() / how_.passes;
  return cuda::download<std::uint32_t>(memory_[moved % 2], words);
}

}  // namespace ptxlab::bench
