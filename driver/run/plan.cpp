// SPDX-License-Identifier: Apache-2.0
#include "driver/run/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "analysis/verdict/nearest.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::run {
namespace {

using kind = argument::kind;

std::string parameter_sizes(const ptx::function& f) {
  std::vector<std::string> all;
  for (const ptx::parameter& p : f.params) all.push_back(std::to_string(p.bytes));
  return all.empty() ? "none" : fmt::format("{} bytes", fmt::join(all, ", "));
}

void check_variable(const plan& p, const std::string& name) {
  std::vector<std::string> names;
  for (const std::string_view g : p.from.ptx.globals) names.emplace_back(g);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw error(
      fmt::format("{}: no variable '{}'{}", p.from.path, name, verdict::suggestion(name, names)));
}

}  // namespace

std::string plan::shown() const {
  return shown_name(kernel);
}

setting read_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos || equals == 0)
    throw error(fmt::format("--set {}: expected VARIABLE=TYPE:VALUE or VARIABLE=buf:...", text));
  setting s;
  s.variable = text.substr(0, equals);
  s.value = read_argument(std::string_view(text).substr(equals + 1), 0);
  if (s.value.is != kind::buffer && s.value.is != kind::scalar)
    throw error(fmt::format("--set {}: a scalar or a buffer", text));
  return s;
}

void read_extent(const std::string& text, const char* option, std::uint32_t (&out)[3]) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [rest, ec] = std::from_chars(at, end, out[i]);
    if (ec != std::errc() || rest == at) break;
    if (rest == end) return;
    if (*rest != ',') break;
    at = rest + 1;
  }
  throw error(fmt::format("{} {}: expected X, X,Y or X,Y,Z, each below 2^32", option, text));
}

void read_cluster(const std::string& text, std::uint32_t (&out)[3]) {
  std::fill_n(out, 3, 1);
  read_extent(text, "--cluster", out);
  if (std::count(out, out + 3, 0U) != 0)
    throw error(fmt::format("--cluster {}: at least one block each way", text));
}

void check(const plan& p) {
  std::set<std::string> names;
  for (const looked_at& x : all_looked_at(p))
    if (!names.insert(x.name).second)
      throw error(fmt::format("two buffers are named '{}'", x.name));
  const ptx::function* const f = p.from.ptx.find(p.kernel);
  if (f == nullptr) return;  // a cubin: nothing is known of its parameters
  if (f->params.size() != p.arguments.size())
    throw error(fmt::format("{} takes {} arguments ({}), not {}", p.shown(), f->params.size(),
                            parameter_sizes(*f), p.arguments.size()));
  for (std::size_t i = 0; i < p.arguments.size(); ++i) {
    const argument& a = p.arguments[i];
    if (a.parameter_bytes() != f->params[i].bytes)
      throw error(fmt::format("argument {} ({}) has {} bytes, and {} takes {} there", i, a.text,
                              a.parameter_bytes(), p.shown(), f->params[i].bytes));
    if (a.is == kind::variable) check_variable(p, a.name);
  }
  for (const setting& s : p.settings) check_variable(p, s.variable);
}

std::vector<looked_at> all_looked_at(const plan& p) {
  std::vector<looked_at> out;
  for (std::size_t i = 0; i < p.arguments.size(); ++i)
    if (p.arguments[i].is == kind::buffer)
      out.push_back({&p.arguments[i], p.arguments[i].name, false, i});
  for (std::size_t i = 0; i < p.settings.size(); ++i)
    out.push_back({&p.settings[i].value, p.settings[i].variable, true, i});
  return out;
}

std::size_t find_looked_at(const plan& p, const std::string& word) {
  const auto all = all_looked_at(p);
  std::size_t index = p.arguments.size();
  const auto [rest, ec] = std::from_chars(word.data(), word.data() + word.size(), index);
  const bool is_index = ec == std::errc() && rest == word.data() + word.size();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (is_index ? !all[k].is_variable && all[k].index == index : all[k].name == word) return k;
    names.push_back(all[k].name);
  }
  if (is_index) throw error(fmt::format("argument {} is no buffer", word));
  throw error(fmt::format("no buffer '{}'{}", word, verdict::suggestion(word, names)));
}

stage::stage(harness::backend& on, const plan& p) : on_(on), plan_(p) {
  module_ = on.load(p.from.code);
  function_ = on.function(module_, p.kernel);
  for (const argument& a : p.arguments) {
    buffers_.push_back(a.is == kind::buffer ? on.allocate(a.buffer_bytes(), a.name) : 0);
    if (a.is == kind::buffer) fill(buffers_.back(), a);
  }
  for (const setting& s : p.settings) {
    const auto [at, bytes] = on.variable(module_, s.variable);
    if (s.value.buffer_bytes() > bytes)
      throw error(fmt::format("--set {}: {} bytes, and the variable has {}", s.variable,
                              s.value.buffer_bytes(), bytes));
    fill(at, s.value);
  }
  pack();
}

void stage::fill(harness::device_address at, const argument& a) {
  if (a.is == kind::buffer && a.from == contents::none) return;
  // In pieces: a large buffer is never held twice.
  constexpr std::uint64_t piece = std::uint64_t{1} << 20;
  const unsigned n = element_bytes(a.of);
  std::vector<std::byte> bytes;
  for (std::uint64_t i = 0; i < a.count; i += piece) {
    const std::uint64_t here = std::min(piece, a.count - i);
    bytes.assign(here * n, std::byte{0});
    for (std::uint64_t k = 0; k < here; ++k) {
      const element_bits v = a.is == kind::scalar ? a.value : a.initial(i + k);
      std::copy_n(reinterpret_cast<const std::byte*>(&v), n, bytes.data() + k * n);
    }
    on_.copy_to(at + i * n, bytes);
  }
}

void stage::pack() {
  const ptx::function* const f = plan_.from.ptx.find(plan_.kernel);
  for (std::size_t i = 0; i < plan_.arguments.size(); ++i) {
    const argument& a = plan_.arguments[i];
    const std::uint64_t bytes = a.parameter_bytes();
    // Of a cubin no layout is known: natural alignment is what nvcc gives scalars.
    std::size_t offset = f != nullptr ? f->params[i].offset : parameters_.size();
    if (f == nullptr && a.is != kind::bytes) offset = (offset + bytes - 1) / bytes * bytes;
    parameters_.resize(std::max<std::size_t>(parameters_.size(), offset + bytes));
    std::uint64_t v = a.is == kind::buffer ? buffers_[i] : a.value;
    if (a.is == kind::variable) v = on_.variable(module_, a.name).first;
    const std::byte* const from =
        a.is == kind::bytes ? a.data.data() : reinterpret_cast<const std::byte*>(&v);
    std::copy_n(from, bytes, parameters_.data() + offset);
  }
}

std::vector<std::vector<std::byte>> stage::contents() const {
  std::vector<std::vector<std::byte>> out;
  for (const looked_at& x : all_looked_at(plan_)) {
    out.emplace_back(x.what->buffer_bytes());
    on_.copy_from(out.back(),
                  x.is_variable ? on_.variable(module_, x.name).first : buffers_[x.index]);
  }
  return out;
}

}  // namespace ptxlab::run
