// SPDX-License-Identifier: Apache-2.0
// texels: what a texture object reads, made anew for each point. A kernel without a grid of its own
// fetches at a list of places, edges and beyond among them, and each fetch is held against the
// host's reference. One that names its blocks per SM walks a whole texture, whose reading is
// compared for some threads and then timed from outside.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/results/statistics.hpp"
#include "driver/bench/grids.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/repeats.hpp"
#include "driver/bench/texel_check.hpp"
#include "driver/bench/texel_walk.hpp"
#include "driver/cuda/texture_object.hpp"
#include "ptx/machine/texture_limits.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

constexpr std::size_t places = 4096;
constexpr unsigned threads_looked_at = 96;
/// Texels of a repeat: a millisecond or more.
constexpr double texels_at_least = 5e8;

bool walks(const kernels::measurement& m) {
  return !m.blocks_per_sm.empty();
}

/// Whether such texels can be filtered, as far as the format goes.
bool gives_floats(const kernels::texture& t, kernels::texture::format f) {
  using enum kernels::texture::format;
  return f == f16 || f == f32 || (t.as_float && f != u32 && f != s32);
}

template <typename T, typename Add>
void each(std::vector<axes>& all, const char* name, const std::vector<T>& values,
          const Add& wanted) {
  std::vector<axes> out;
  for (const axes& a : all)
    for (const T v : values) {
      if (!wanted(a, v)) continue;
      axes b = a;
      b[name] = static_cast<double>(v);
      out.push_back(std::move(b));
    }
  all = std::move(out);
}

std::vector<axes> points(const kernels::measurement& m, const sizes&, bool quick) {
  const kernels::texture& t = m.texture;
  const auto any = [](const axes&, auto) { return true; };
  std::vector<axes> out = {{}};
  each(out, "width", t.extent, any);
  each(out, "format", t.formats, any);
  if (walks(m)) {
    each(out, "filtered", t.filtered, any);
    if (!m.swept.axis.empty()) each(out, m.swept.axis.data(), m.swept.values, any);
  } else if (t.from != kernels::texture::source::linear) {
    each(out, "edge", t.edges, any);
    each(out, "normalised", t.normalised, any);
    each(out, "filtered", t.filtered, [&t](const axes& a, bool filtered) {
      return !filtered || gives_floats(t, static_cast<kernels::texture::format>(a.at("format")));
    });
  }
  return quick ? few_of(out) : out;
}

results::row counted(const axes& at, const char* quantity, std::uint64_t n) {
  results::row r = make_row(protocol_of(kernels::protocol::texels), at, quantity, "texel");
  r.raw_unit = "texel";
  r.raw = {{static_cast<double>(places), {static_cast<double>(n)}}};
  r.value = results::summarise(r.raw.front().values);
  return r;
}

void spoil(results::row& r, const std::string& reason) {
  r.value.reset();
  r.state = results::status::invalid;
  r.reason = reason;
}

std::vector<results::row> measure_places(lab& l, const kernels::variant& v, const axes& at) {
  const machine::texture_description d = described(v.measure.texture, at, false);
  machine::check(d, cuda::limits_of(l.gpu()));
  const std::vector<std::byte> texels = random_texels(d);
  const std::vector<texel_place> where = places_of(d, places);
  const cuda::texture_object object(d, texels);
  constexpr std::uint64_t bytes = places * sizeof(texel_place);
  const auto memory = l.buffers({bytes, bytes});
  cuda::upload(memory[0], where);
  cuda::arguments a;
  a.add(std::uint64_t{object.object()}).add(memory[0]).add(memory[1]);
  a.add(static_cast<unsigned>(places));
  cuda::geometry g;
  g.block_threads = 128;
  g.blocks = places / g.block_threads;
  l.launch(g, a);
  const texel_errors found =
      errors_of(d, texels, where, cuda::download<texel_words>(memory[1], places));
  std::vector<results::row> out = {counted(at, "wrong texels", found.wrong),
                                   counted(at, "unlike the machine", found.unlike)};
  if (found.wrong > 0)
    spoil(out.front(),
          fmt::format("{} of {} texels are wrong: {}", found.wrong, places, found.first));
  if (found.largest) {
    results::row r = make_row(protocol_of(kernels::protocol::texels), at, "largest error", "1/256");
    r.value = results::summarise({*found.largest * 256});
    out.push_back(std::move(r));
  }
  return out;
}

/// A walk with its memory on the device.
class walk_stage {
 public:
  walk_stage(lab& l, const kernels::variant& v, const axes& at) : lab_(l) {
    machine::texture_description object = described(v.measure.texture, at, true);
    walk_.plane = object;
    if (object.storage == machine::texel_storage::linear) {
      // One line of memory, walked as a square.
      walk_.plane.storage = machine::texel_storage::array;
      walk_.plane.shape = machine::texture_shape::d2;
      walk_.plane.height = walk_.plane.width;
      object.width *= object.width;
    }
    g_.block_threads = v.measure.threads.front();
    g_.blocks = v.measure.blocks_per_sm.front() * static_cast<unsigned>(l.gpu().multiprocessors());
    walk_.blocks = g_.blocks;
    walk_.block_threads = g_.block_threads;
    walk_.columns = at.contains("columns") && at.at("columns") != 0;
    walk_.check();
    machine::check(object, cuda::limits_of(l.gpu()));
    const std::uint64_t bytes = machine::texture_bytes(object);
    if (bytes > l.gpu().memory_bytes() / 2)
      throw error(fmt::format("a texture of {} bytes is more than half of the memory of {}", bytes,
                              l.gpu().identify()));
    texels_ = exact_texels(object);
    object_.emplace(object, texels_);
    out_ = l.buffers({std::uint64_t{g_.blocks} * g_.block_threads * sizeof(std::uint32_t)})[0];
    l.arm(g_);
  }

  void queue(unsigned rounds) {
    const machine::texture_description& p = walk_.plane;
    cuda::arguments a;
    a.add(std::uint64_t{object_->object()}).add(object_->memory()).add(out_);
    a.add(p.width).add(p.height).add(p.depth);
    a.add(unsigned{walk_.columns}).add(rounds).add(walk_.offset());
    lab_.queue(g_, a);
  }
  double texels() const { return walk_.texels(); }

  /// What is wrong after two rounds; empty: nothing of what was looked at.
  std::string wrong() {
    walk_.rounds = 2;
    queue(walk_.rounds);
    lab_.wait();
    const unsigned all = g_.blocks * g_.block_threads;
    const auto got = cuda::download<std::uint32_t>(out_, all);
    unsigned n = 0;
    std::string first;
    for (unsigned i = 0; i < threads_looked_at; ++i) {
      // An odd step goes through all lanes, warps and blocks.
      const auto t = static_cast<unsigned>(std::uint64_t{i} * (all / threads_looked_at | 1) % all);
      const std::uint32_t wanted =
          walk_.folded(texels_, t / g_.block_threads, t % g_.block_threads);
      if (got[t] == wanted || n++ > 0) continue;
      first = fmt::format("thread {} of block {} folded {:#x}, not {:#x}", t % g_.block_threads,
                          t / g_.block_threads, got[t], wanted);
    }
    return n == 0 ? ""
                  : fmt::format("{}; {} of {} looked at are wrong", first, n, threads_looked_at);
  }

 private:
  lab& lab_;
  texel_walk walk_;
  cuda::geometry g_;
  std::vector<std::byte> texels_;
  std::optional<cuda::texture_object> object_;
  CUdeviceptr out_ = 0;
};

std::vector<results::row> measure_walk(lab& l, const kernels::variant& v, const axes& at) {
  results::row r = make_row(protocol_of(kernels::protocol::texels), at, "fetch rate", "Gtexel/s");
  r.raw_unit = "ns";
  walk_stage s(l, v, at);
  if (const std::string wrong = s.wrong(); !wrong.empty()) {
    spoil(r, wrong);
    return {std::move(r)};
  }
  const auto rounds = static_cast<unsigned>(std::max(2.0, texels_at_least / s.texels()));
  l.warm_up([&] {
    s.queue(rounds);
    l.wait();
  });
  r.raw.push_back(
      timed(l, {.queue = [&] { s.queue(rounds); }, .length = static_cast<double>(rounds)}));
  std::vector<double> rates;
  for (const double ns : r.raw.front().values) rates.push_back(s.texels() * rounds / ns);
  r.value = results::summarise(rates);
  return {std::move(r)};
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  return walks(v.measure) ? measure_walk(l, v, at) : measure_places(l, v, at);
}

const protocol_registration registered({.how = kernels::protocol::texels,
                                        .name = "texels",
                                        .says = "what a texture object reads, and how fast",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
