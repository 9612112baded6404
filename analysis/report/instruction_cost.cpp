// SPDX-License-Identifier: Apache-2.0
// The cost table of 2009 (G80) and the same operations today. A clock per warp is what one SM needs
// for an instruction of a whole warp, then and now.
#include <fmt/format.h>

#include "analysis/report/accuracy.hpp"
#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr double lanes = 32, warp_bytes = 128;
constexpr const char* cost_table = "instruction cost (G80)";

/// An operation as it is written today; ids are those behind latency/ and throughput/, unless they
/// have a family of their own.
struct today {
  const char* text;
  const char* latency;
  const char* throughput;
};

/// A row of the table, or what the document says in words alone.
struct then_row {
  const char* text;
  const char* row;  ///< of the historical table; null: no figure
  std::vector<today> now;
};

std::vector<then_row> cost_rows() {
  return {
      {"add, mul, mad, simple integer",
       "add, mul, mad (fp32), simple integer",
       {{"x + y, float", "fp32/add_rn_f32", "fp32/add_rn_f32"},
        {"x * y, float", "fp32/mul_rn_f32", "fp32/mul_rn_f32"},
        {"x * y + z, float", "fp32/fma_rn_f32", "fp32/fma_rn_f32"},
        {"x + y, int", "int32/add_s32", "int32/add_s32"}}},
      {"1/x, 1/sqrt(x), __logf",
       "1/x, 1/sqrt(x), __logf",
       {{"1.0f / x", "fp32/rcp_rn_f32", "fp32/rcp_rn_f32"},
        {"rcp.approx.f32", "fp32/rcp_approx_f32", "fp32/rcp_approx_f32"},
        {"rsqrtf(x)", "spellings/rsqrtf_call", "spellings/rsqrtf_call"},
        {"rsqrt.approx.ftz.f32", "fp32/rsqrt_approx_ftz_f32", "fp32/rsqrt_approx_ftz_f32"},
        {"__logf(x), + y", "fp32/fast_logf", "fp32/fast_logf"}}},
      {"32-bit integer product",
       "32-bit integer multiply",
       {{"x * y, int", "int32/mul_lo_s32", "int32/mul_lo_s32"},
        {"upper half, unsigned", "int32/mul_hi_u32", "int32/mul_hi_u32"}}},
      {"__mul24, __umul24",
       "__mul24, __umul24",
       {{"__mul24(x, y) >> 1", "spellings/mul24_s32", "spellings/mul24_s32"},
        {"__umul24(x, y) >> 1", "spellings/umul24_u32", "spellings/umul24_u32"},
        {"mul24.lo.s32", "int32/mul24_lo_s32", "int32/mul24_lo_s32"}}},
      {"square root",
       "sqrt",
       {{"sqrtf(x)", "fp32/sqrt_rn_f32", "fp32/sqrt_rn_f32"},
        {"sqrt.approx.f32", "spellings/sqrt_approx_f32", "spellings/sqrt_approx_f32"},
        {"sqrt.approx.ftz.f32", "fp32/sqrt_approx_ftz_f32", "fp32/sqrt_approx_ftz_f32"}}},
      {"float division",
       "fp32 division",
       {{"x / y", "fp32/div_rn_f32", "fp32/div_rn_f32"},
        {"div.full.f32", "fp32/div_full_f32", "fp32/div_full_f32"}}},
      {"__fdividef",
       "__fdividef",
       {{"__fdividef(x, y)", "fp32/div_approx_f32", "fp32/div_approx_f32"}}},
      {"__sinf, __cosf, __expf",
       "__sinf, __cosf, __expf",
       {{"__sinf(x)", "fp32/fast_sinf", "fp32/fast_sinf"},
        {"__cosf(x)", "fp32/fast_cosf", "fp32/fast_cosf"},
        {"__expf(x)", "fp32/fast_expf", "fp32/fast_expf"}}},
      {"functions of the library, \"dearer\"",
       nullptr,
       {{"sinf(x), + y", "fp32/sinf_small", "fp32/sinf_small"},
        {"cosf(x)", "fp32/cosf_small", "fp32/cosf_small"},
        {"sinf(x), + y, x beyond 105615", "fp32/sinf_large", "fp32/sinf_large"},
        {"expf(x)", "fp32/expf_small", "fp32/expf_small"},
        {"logf(x), + y", "fp32/logf_small", "fp32/logf_small"},
        {"powf(x, y)", "spellings/powf_call", "spellings/powf_call"},
        {"__powf(x, y)", "spellings/powf_fast", "spellings/powf_fast"}}},
      {"integer division and modulo, \"very dear\"",
       nullptr,
       {{"x / y, int", "division/div_s32", "division/div_s32"},
        {"x / y, unsigned", "division/div_u32", "division/div_u32"},
        {"x % y, unsigned, + z", "division/rem_u32", "division/rem_u32"},
        {"x % 64, unsigned, + y", "division/rem_u32_64", "division/rem_u32_64"}}},
      {"double literals, short operands",
       nullptr,
       {{"x * 1.00000012f", "spellings/literal_float", "spellings/literal_float"},
        {"x * 1.00000012", "spellings/literal_double", "spellings/literal_double"},
        {"x * y, short", "spellings/mul_s16", "spellings/mul_s16"}}},
      {"shared memory access",
       "shared memory access",
       {{"ld.shared.u32", "memory/shared/index", "memory/ld_shared_u32"}}},
      {"__syncthreads, nobody waits",
       "__syncthreads, nobody waiting",
       {{"__syncthreads(), one warp", "barrier/block_cost/bar_sync", nullptr}}},
  };
}

std::string full_id(const char* family, const std::string& id) {
  for (const char* own : {"memory/", "barrier/"})
    if (family == std::string("latency/") && id.starts_with(own)) return id;
  return family + id;
}

const measurement* plateau_of(const section& s, const char* id) {
  return id == nullptr ? nullptr : find(s, full_id("throughput/", id), "plateau");
}

/// Clocks in which an SM does what a warp asks for.
std::optional<double> clocks_per_warp(const measurement* m) {
  if (m == nullptr || !m->ok()) return {};
  const results::row& r = m->row();
  return (r.unit.starts_with("byte") ? warp_bytes : lanes) / r.value->median;
}

/// The first instructions of a copy.
std::string sass_cell(const measurement* latency, const measurement* plateau) {
  constexpr std::size_t shown = 4;
  for (const measurement* m : {latency, plateau}) {
    if (m == nullptr || m->row().sass.empty()) continue;
    const std::string& all = m->row().sass;
    std::size_t at = 0;
    for (std::size_t i = 0; i < shown; ++i) {
      at = all.find(" + ", at == 0 ? 0 : at + 3);
      if (at == all.npos) return all;
    }
    return all.substr(0, at) + " + ...";
  }
  return absent;
}

std::string times_cell(const std::optional<double>& clocks, const std::optional<double>& addition) {
  return clocks && addition ? fmt::format("{:.3g}", *clocks / *addition) : absent;
}

}  // namespace

std::vector<table> cost_of_arithmetic_tables(const topic_context& c) {
  table out{"The cost table of 2009, then (G80) and now: clocks in which an SM serves a warp",
            {{"2009", false, true},
             {"now", false, true},
             {"SASS", false, true, 2},
             {"latency, cycles", true},
             {"clocks, then", true},
             {"clocks, now", true},
             {"additions, then", true},
             {"additions, now", true}},
            {}};
  const auto figure_of = [&](const char* row) -> std::optional<double> {
    const historical_value* v =
        row == nullptr ? nullptr : c.then.find(cost_table, row, "clocks per warp");
    return v == nullptr ? std::nullopt : std::optional(v->value);
  };
  const std::vector<then_row> rows = cost_rows();
  const auto addition_then = figure_of(rows.front().row);
  const auto addition_now = clocks_per_warp(plateau_of(c.of, "fp32/add_rn_f32"));
  for (const then_row& r : rows)
    for (const today& t : r.now) {
      const bool first = &t == &r.now.front();
      const measurement* latency = find(c.of, full_id("latency/", t.latency), "latency");
      const measurement* plateau = plateau_of(c.of, t.throughput);
      const auto then = figure_of(r.row), now = clocks_per_warp(plateau);
      line l{{r.text, t.text, sass_cell(latency, plateau)}, {}};
      l.cells.push_back(value_cell(latency, 1, l.notes));
      l.cells.push_back(then && first ? exact(*then) : absent);
      l.cells.push_back(now                       ? fmt::format("{:.2f}", *now)
                        : t.throughput == nullptr ? absent
                                                  : value_cell(plateau, 2, l.notes));
      l.cells.push_back(first ? times_cell(then, addition_then) : absent);
      l.cells.push_back(times_cell(now, addition_now));
      out.lines.push_back(std::move(l));
    }
  const auto low = c.then.find(cost_table, "global memory access, added latency", "low");
  const auto high = c.then.find(cost_table, "global memory access, added latency", "high");
  for (const auto& [text, id] : {std::pair{"from L2", "memory/l2/pointer"},
                                 std::pair{"from DRAM, at random", "memory/dram/random_ring"}}) {
    const measurement* m = find(c.of, id, "plateau");
    line l{{low != nullptr && high != nullptr ? fmt::format("global memory access: {} to {} more",
                                                            exact(low->value), high->text())
                                              : "global memory access",
            text, sass_cell(m, nullptr)},
           {}};
    l.cells.push_back(value_cell(m, 1, l.notes));
    l.cells.resize(out.columns.size(), absent);
    out.lines.push_back(std::move(l));
  }
  return {out};
}

std::vector<table> sine_limit_tables(const topic_context& c) {
  table out{"sinf and an addition: cycles by the argument", {{"argument"}, {"cycles", true}}, {}};
  const std::pair<const char*, const char*> points[] = {
      {"about 1", "latency/fp32/sinf_small"},
      {"48000, below the limit of 2009", "latency/sine_limit/below_2009"},
      {"105600, below today's limit", "latency/sine_limit/below_limit"},
      {"105630, above it", "latency/sine_limit/above_limit"},
      {"200000", "latency/fp32/sinf_large"},
      {"2^100", "latency/sine_limit/far"}};
  for (const auto& [argument, id] : points) {
    line l{{argument}, {}};
    l.cells.push_back(value_cell(find(c.of, id, "latency"), 1, l.notes));
    out.lines.push_back(std::move(l));
  }
  return {out};
}

}  // namespace ptxlab::report
