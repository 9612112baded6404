// SPDX-License-Identifier: Apache-2.0
// transfer: bytes from one memory to another. `time` is that of one copy, from the call until the
// host sees its end; `bandwidth` is that of many, one behind the other, between two events; `half
// size` follows from each. What arrives is checked before and after: one kernel writes the device's
// side and another reads it, of the file's `fill` and `tally` whatever the measured kernel is not.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include "analysis/results/statistics.hpp"
#include "driver/bench/byte_pattern.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/half_size.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/repeats.hpp"
#include "driver/bench/two_devices.hpp"
#include "driver/cuda/host_memory.hpp"

namespace ptxlab::bench {
namespace {

using steady = std::chrono::steady_clock;
using path = kernels::copying::path;
using way = kernels::copying::way;

/// From here on a copy takes milliseconds, from pageable memory a tenth of a second and more.
constexpr std::uint64_t large = std::uint64_t{64} << 20;
constexpr unsigned most_copies = 64;  // queued at once, and twice as many
constexpr unsigned block_threads = 512;

std::vector<axes> points(const kernels::measurement& m, const sizes&, bool quick) {
  std::vector<axes> out;
  for (const std::uint64_t b : m.bytes) out.push_back({{"bytes", static_cast<double>(b)}});
  return quick ? few_of(out) : out;
}

/// Both ends of the copies of one point.
class ends {
 public:
  ends(lab& l, const kernels::variant& v, std::uint64_t bytes)
      : lab_(l), how_(v.measure.copying), bytes_(bytes) {
    const bool own_writes = how_.by != path::mapped && how_.to == way::to_host;
    const bool own_reads = how_.by == path::peer || (how_.by != path::mapped && !own_writes);
    writer_ = own_writes ? v.symbol : "fill";
    reader_ = own_reads ? v.symbol : "tally";
    g_.block_threads = block_threads;
    const std::uint64_t blocks = (bytes / 16 + block_threads) / block_threads;
    g_.blocks = static_cast<unsigned>(
        std::min<std::uint64_t>(blocks, 2 * static_cast<std::uint64_t>(l.gpu().multiprocessors())));
    if (how_.by == path::peer) {
      both_.emplace(l, *peer_of(l.gpu()), bytes);
      device_ = both_->at(place::own);
    } else {
      device_ = l.buffers({bytes}).front();
      host_.emplace(bytes, how_.by != path::pageable);
    }
    found_.emplace(2);
    l.arm(g_);
  }

  /// Writes the bytes of `seed` where they are copied from.
  void put(std::uint32_t seed) {
    if (how_.by != path::peer && how_.to == way::to_device)
      write_pattern(host_->bytes(), seed);
    else
      fill(seed);
  }
  void queue() {
    const cuda::stream& s = lab_.queue_of();
    if (how_.by == path::peer) {
      cuda::copy_between(both_->at(place::peer), device_, bytes_, s);
    } else if (how_.by == path::mapped) {
      const bool to_device = how_.to == way::to_device;
      cuda::arguments a;
      a.add(to_device ? device_ : host_->address()).add(to_device ? host_->address() : device_);
      a.add(bytes_);
      lab_.queue(g_, a);
    } else if (how_.to == way::to_device) {
      cuda::copy_to_device(device_, host_->bytes().data(), bytes_, s);
    } else {
      cuda::copy_to_host(host_->bytes().data(), device_, bytes_, s);
    }
  }
  /// What is wrong with what arrived; empty: nothing.
  std::string wrong(std::uint32_t seed) {
    if (how_.by != path::peer && how_.to == way::to_host)
      return count_wrong(host_->bytes(), seed).text(bytes_);
    if (how_.by == path::peer) {
      fill(~seed);  // so that it must come back
      cuda::copy_between(device_, both_->at(place::peer), bytes_, lab_.queue_of());
      lab_.wait();
    }
    return tally(seed).text(bytes_);
  }
  /// Whether copies can be queued while the stream is held: pageable ones wait for it.
  bool held() const { return how_.by != path::pageable; }

 private:
  void fill(std::uint32_t seed) {
    cuda::arguments a;
    a.add(device_).add(bytes_).add(seed);
    lab_.queue(writer_, g_, a);
    lab_.wait();
  }
  wrong_bytes tally(std::uint32_t seed) {
    const wrong_bytes none;
    found_->upload({none.count, none.first});
    cuda::synchronise();  // the kernel is on another stream
    cuda::arguments a;
    a.add(device_).add(bytes_).add(seed).add(found_->address());
    lab_.queue(reader_, g_, a);
    lab_.wait();
    const std::vector<std::uint64_t> found = found_->download();
    return {found[0], found[1]};
  }

  lab& lab_;
  kernels::copying how_;
  std::uint64_t bytes_;
  std::string writer_, reader_;
  cuda::geometry g_;
  CUdeviceptr device_{};
  std::optional<two_devices> both_;
  std::optional<cuda::host_memory> host_;
  std::optional<cuda::buffer<std::uint64_t>> found_;
};

int repeats_of(std::uint64_t bytes) {
  return bytes > large ? 4 : 15;
}

/// Nanoseconds of one copy as the host sees it.
results::series seen_by_host(lab& l, ends& e, std::uint64_t bytes) {
  constexpr std::chrono::seconds patience{2};   // then the lab waits, and gives up in time
  const int more = bytes < large / 16 ? 6 : 1;  // single copies for each repeat of many
  results::series out{1, {}};
  for (int i = -2; i < more * repeats_of(bytes); ++i) {
    const auto begin = steady::now();
    e.queue();
    while (!l.queue_of().done() && steady::now() - begin < patience) {
    }
    const auto end = steady::now();
    l.wait();
    if (i >= 0) out.values.push_back(std::chrono::duration<double, std::nano>(end - begin).count());
  }
  return out;
}

results::row time_row(lab& l, ends& e, const axes& at) {
  results::row r = make_row(protocol_of(kernels::protocol::transfer), at, "time", "us");
  r.raw_unit = "ns";
  r.raw.push_back(seen_by_host(l, e, static_cast<std::uint64_t>(at.at("bytes"))));
  std::vector<double> us;
  for (const double ns : r.raw.front().values) us.push_back(ns / 1e3);
  r.value = results::summarise(us);
  return r;
}

results::row bandwidth_row(lab& l, ends& e, const axes& at) {
  results::row r = make_row(protocol_of(kernels::protocol::transfer), at, "bandwidth", "GB/s");
  r.raw_unit = "ns";
  const double bytes = at.at("bytes");
  const double copies = std::clamp(std::floor(large / bytes), 1.0, 1.0 * most_copies);
  for (const double n : {copies, 2 * copies})
    r.raw.push_back(timed(l, {.queue =
                                  [&] {
                                    for (int i = 0; i < static_cast<int>(n); ++i) e.queue();
                                  },
                              .length = n,
                              .repeats = repeats_of(static_cast<std::uint64_t>(bytes)),
                              .cold = 1,
                              .held = e.held()}));
  std::vector<double> rates;
  for (std::size_t i = 0; i < r.raw[0].values.size(); ++i)
    if (const double ns = r.raw[1].values[i] - r.raw[0].values[i]; ns > 0)
      rates.push_back(bytes * copies / ns);
  const std::size_t lost = r.raw[0].values.size() - rates.size();
  if (lost * 2 > r.raw[0].values.size()) {
    r.state = results::status::invalid;
    r.reason = "twice the copies took no longer";
    return r;
  }
  if (lost > 0)
    r.flags.push_back(fmt::format("in {} of {} repeats twice the copies took no longer", lost,
                                  r.raw[0].values.size()));
  r.value = results::summarise(rates);
  return r;
}

/// Why nothing is copied at this point; empty: it is.
std::string skipped(const lab& l, const kernels::copying& how, std::uint64_t bytes) {
  if (bytes == 0) return "nothing to copy: 0 bytes";
  if (how.by == path::peer && !peer_of(l.gpu())) return no_peer_reason(l.gpu());
  if (bytes > l.gpu().memory_bytes() / 2)
    return fmt::format("{} bytes are more than half of the memory of {}", bytes,
                       l.gpu().identify());
  const std::uint64_t host = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                             static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (how.by != path::peer && bytes > host / 4)
    return fmt::format("{} bytes are more than a quarter of the host's memory", bytes);
  return "";
}

std::vector<results::row> without(const axes& at, results::status state,
                                  const std::string& reason) {
  results::row r = make_row(protocol_of(kernels::protocol::transfer), at, "time", "us");
  r.state = state;
  r.reason = reason;
  r.raw_unit.clear();
  return {std::move(r)};
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  const auto bytes = static_cast<std::uint64_t>(at.at("bytes"));
  if (const std::string why = skipped(l, v.measure.copying, bytes); !why.empty())
    return without(at, results::status::not_run, why);
  try {
    ends e(l, v, bytes);
    e.put(first_seed);
    e.queue();
    l.wait();
    std::string wrong = e.wrong(first_seed);
    if (!wrong.empty()) return without(at, results::status::invalid, wrong);
    e.put(second_seed);
    l.warm_up([&] {
      e.queue();
      l.wait();
    });
    std::vector<results::row> out;
    out.push_back(time_row(l, e, at));
    out.push_back(bandwidth_row(l, e, at));
    wrong = e.wrong(second_seed);
    if (!wrong.empty()) return without(at, results::status::invalid, "after all copies: " + wrong);
    return out;
  } catch (const cuda::cuda_error& e) {
    if (e.code() != CUDA_ERROR_OUT_OF_MEMORY) throw;
    return without(at, results::status::not_run, fmt::format("too little memory: {}", e.what()));
  }
}

/// From the times of single copies, and from the rates of those one behind the other.
void add_half_sizes(std::vector<results::row>& rows) {
  std::map<double, double> alone, queued;
  for (const results::row& r : rows) {
    if (!r.value || !r.axes.contains("bytes")) continue;
    const double bytes = r.axes.at("bytes");
    if (r.quantity == "time") alone[bytes] = bytes / (1e3 * r.value->median);
    if (r.quantity == "bandwidth") queued[bytes] = r.value->median;
  }
  const auto add = [&rows](const char* quantity, const std::map<double, double>& rates) {
    const auto half = half_size_of(rates);
    if (!half) return;
    results::row r = make_row(protocol_of(kernels::protocol::transfer), {}, quantity, "byte");
    r.raw_unit = "byte";
    r.raw.push_back({1, {half->bytes}});
    r.value = results::summarise({half->bytes});
    if (half->smallest) r.flags.emplace_back("already the smallest size has half of the best rate");
    r.cubin_sha256 = rows.front().cubin_sha256;
    r.uses = rows.front().uses;
    rows.push_back(std::move(r));
  };
  add("half size", alone);
  add("half size queued", queued);
}

const protocol_registration registered({.how = kernels::protocol::transfer,
                                        .name = "transfer",
                                        .says = "bytes between memories",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure,
                                        .conclude = add_half_sizes});

}  // namespace
}  // namespace ptxlab::bench
