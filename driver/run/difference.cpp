// SPDX-License-Identifier: Apache-2.0
#include "driver/run/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "driver/run/argument.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::run {
namespace {

bool has_any(const ptx::opcode& op, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view w) { return op.has(w); });
}

bool floating(const ptx::opcode& op) {
  return has_any(op, {"f16", "f16x2", "bf16", "bf16x2", "f32", "f32x2", "f64"});
}

/// Is the old value that an atomic gives thrown away?
bool result_unused(const ptx::function& f, const ptx::instruction& i) {
  return i.operands == 0 || f.operands[i.first_operand].kind == ptx::operand_kind::sink;
}

class reader {
 public:
  explicit reader(const ptx::module& m) : m_(m) {}

  void look(const ptx::function& f) {
    if (!seen_.insert(f.name).second) return;
    for (const ptx::instruction& i : f.instructions) {
      one(f, i);
      ptx::for_each_operand(f, i, [&](std::uint32_t o) {
        if (f.operands[o].kind != ptx::operand_kind::symbol) return;
        const ptx::function* callee = m_.find(m_.text(f.operands[o]));
        if (callee != nullptr && callee->has_body) look(*callee);
      });
    }
  }
  /// A call through a register may reach every function.
  void look_at_all() {
    for (const ptx::function& f : m_.functions)
      if (!f.entry) look(f);
  }

  freedoms found;
  bool calls_anything = false;

 private:
  /// Types of mul, and of add and sub, without a rounding modifier.
  void bare(const ptx::opcode& op) {
    if (!floating(op) || has_any(op, {"rn", "rz", "rm", "rp"})) return;
    std::set<std::string_view>& mine = op.base == "mul" ? products_ : sums_;
    const std::set<std::string_view>& other = op.base == "mul" ? sums_ : products_;
    mine.insert(op.modifiers.back());
    found.contraction |= other.contains(op.modifiers.back());
  }
  void one(const ptx::function& f, const ptx::instruction& i) {
    const ptx::opcode& op = m_.op(i);
    found.approximate |= has_any(op, {"approx", "full"});
    found.matrix |= op.base == "mma" || (op.base == "wmma" && op.has("mma"));
    if (op.base == "mul" || op.base == "add" || op.base == "sub") bare(op);
    const bool atomic = op.base == "atom" || op.base == "red";
    found.float_atomics |= atomic && floating(op) && op.has("add");
    found.atomic_results |= op.base == "atom" && !result_unused(f, i);
    if (op.base == "call")
      ptx::for_each_operand(f, i, [&](std::uint32_t o) {
        calls_anything |= f.operands[o].kind == ptx::operand_kind::reg;
      });
  }

  const ptx::module& m_;
  std::set<std::string_view> seen_, products_, sums_;
};

/// The elements sorted: equal for two buffers that hold the same ones in another order.
std::vector<element_bits> sorted(type of, const std::vector<std::byte>& bytes) {
  std::vector<element_bits> all;
  for (std::uint64_t i = 0; i < bytes.size() / element_bytes(of); ++i)
    all.push_back(element_at(bytes, of, i));
  std::sort(all.begin(), all.end());
  return all;
}

/// One unit in the last place of a magnitude.
double unit_of(type of, double magnitude) {
  const int precision = of == type::f64 ? 53 : of == type::f32 ? 24 : of == type::f16 ? 11 : 8;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  return std::ldexp(1.0, exponent - precision);
}

std::string reasons(const freedoms& k) {
  std::vector<std::string_view> all;
  if (k.approximate) all.push_back("approximate functions");
  if (k.matrix) all.push_back("matrix instructions");
  if (k.contraction) all.push_back("mul and add that ptxas may fuse");
  if (k.float_atomics) all.push_back("atomic additions in any order");
  return fmt::format("{}", fmt::join(all, ", "));
}

/// How far apart two buffers are, in units of element and buffer: the larger of them decides.
struct distance {
  double units = 0;  ///< the smaller of units of the element and units of the largest magnitude

  void add(type of, element_bits x, element_bits y, double unit) {
    const double apart = std::abs(element_value(of, x) - element_value(of, y));
    if (!machine::is_floating(of) || !std::isfinite(apart))
      units = std::numeric_limits<double>::infinity();
    else
      units = std::max(units, std::min(static_cast<double>(ulp_distance(of, x, y)), apart / unit));
  }
};

void explain(difference& d, type of, const distance& far, const freedoms& k) {
  const double most = element_bytes(of) == 2 ? 8 : 256;
  constexpr double sums = 256;
  if (far.units <= most && (k.approximate || k.matrix))
    d.what = difference_class::approximate;
  else if (far.units <= most && k.contraction)
    d.what = difference_class::maybe_contraction;
  else if (far.units <= most * sums && k.float_atomics)
    d.what = difference_class::atomic_order;
  if (d.what != difference_class::wrong)
    d.why = fmt::format("small, and the kernel has {}", reasons(k));
  else if (!machine::is_floating(of))
    d.why = "integers, and nothing leaves their value open";
  else if (far.units <= most)
    d.why = "small, but every operation of the kernel has one right result";
  else
    d.why = "too large for a difference of rounding";
}

/// The largest finite magnitude of both.
double largest_magnitude(type of, const std::vector<std::byte>& a,
                         const std::vector<std::byte>& b) {
  double largest = 0;
  for (const auto* side : {&a, &b})
    for (std::uint64_t i = 0; i < side->size() / element_bytes(of); ++i)
      if (const double v = std::abs(element_value(of, element_at(*side, of, i))); std::isfinite(v))
        largest = std::max(largest, v);
  return largest;
}

}  // namespace

freedoms freedoms_of(const ptx::module& m, std::string_view kernel) {
  reader r(m);
  if (const ptx::function* f = m.find(kernel)) r.look(*f);
  if (r.calls_anything) r.look_at_all();
  return r.found;
}

std::string_view name(difference_class c) {
  switch (c) {
    case difference_class::exact:
      return "exact";
    case difference_class::approximate:
      return "approximate function";
    case difference_class::contraction:
      return "contraction";
    case difference_class::maybe_contraction:
      return "may be contraction";
    case difference_class::atomic_order:
      return "atomic order";
    case difference_class::race:
      return "race";
    case difference_class::wrong:
      return "wrong";
  }
  return "?";
}

difference classify(type of, const std::vector<std::byte>& a, const std::vector<std::byte>& b,
                    const freedoms& kernel, bool racy) {
  if (a.size() != b.size() || a.size() % element_bytes(of) != 0)
    throw error(fmt::format("buffers of {} and {} bytes cannot be compared", a.size(), b.size()));
  difference d;
  d.elements = a.size() / element_bytes(of);
  distance far;
  const double unit = unit_of(of, machine::is_floating(of) ? largest_magnitude(of, a, b) : 0);
  for (std::uint64_t i = 0; i < d.elements; ++i) {
    const element_bits x = element_at(a, of, i), y = element_at(b, of, i);
    if (x == y || (is_nan(of, x) && is_nan(of, y))) continue;
    if (d.differing++ == 0) {
      d.first = i;
      d.first_a = x;
      d.first_b = y;
    }
    d.largest_ulp = std::max(d.largest_ulp, ulp_distance(of, x, y));
    far.add(of, x, y, unit);
  }
  if (d.differing == 0) return d;
  d.what = difference_class::wrong;
  if (racy) {
    d.what = difference_class::race;
    d.why = "the machine's run has races: any value may come of them";
  } else if (kernel.atomic_results && sorted(of, a) == sorted(of, b)) {
    d.what = difference_class::atomic_order;
    d.why = "the same elements in another order, and the kernel uses the old values of atomics";
  } else {
    explain(d, of, far, kernel);
  }
  return d;
}

}  // namespace ptxlab::run
