// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/textures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/report/barrier.hpp"
#include "analysis/report/figures.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr std::string_view fetches = "texture/fetch/", walks = "texture/walk/";

double axis(const results::row& r, const char* name) {
  const auto at = r.axes.find(name);
  return at == r.axes.end() ? 0 : at->second;
}

void untold(table& t) {
  if (t.lines.empty()) t.title += ": " + std::string(not_measured_text);
}

// --- what was checked ----------------------------------------------------------------------------

/// All points of one kernel, filtered or not.
struct checked {
  std::set<double> formats;
  double modes = 0, places = 0, wrong = 0, unlike = 0;
  std::optional<double> largest;
  std::vector<std::string> trouble;

  void add(const results::row& r) {
    if (r.quantity == "largest error" && r.value)
      largest = std::max(largest.value_or(0), r.value->median);
    if (r.quantity == "unlike the machine" && r.value) unlike += r.value->median;
    // A point that failed has one row, of whatever quantity.
    if (r.quantity != "wrong texels" && r.state == results::status::ok) return;
    ++modes;
    formats.insert(axis(r, "format"));
    if (r.state != results::status::ok)
      trouble.push_back(
          fmt::format("{}: {}: {}", axes_text(r.axes), results::name(r.state), r.reason));
    for (const results::series& s : r.raw) {
      places += s.length;
      for (const double n : s.values) wrong += n;
    }
  }
};

// --- latency -------------------------------------------------------------------------------------

struct path {
  const char* id;
  const char* title;
};
constexpr path chased[] = {{"memory/texture/load", "load"},
                           {"memory/texture/index", "tex1Dfetch"},
                           {"memory/texture/array_2d", "tex2D"},
                           {"memory/texture/array_2d_filtered", "tex2D, filter"}};

bool is_chased(const results::row& r) {
  return r.quantity == "latency" && axis(r, "stride_bytes") == 128 &&
         std::any_of(std::begin(chased), std::end(chased),
                     [&r](const path& p) { return r.id == p.id; });
}

// --- lanes in a cycle ----------------------------------------------------------------------------

struct served {
  path of;
  double bytes;  ///< of a lane
};
/// As the kernels' files say.
constexpr served streams[] = {{{"throughput/memory/ld_global_u64", "load"}, 8},
                              {{"throughput/texture/fetch_u32", "tex1Dfetch"}, 4},
                              {{"throughput/texture/array_2d", "tex2D"}, 8},
                              {{"throughput/texture/array_2d_filtered", "tex2D, filter"}, 8}};

}  // namespace

std::string format_name(double number) {
  constexpr const char* names[] = {"u8", "s8", "u16", "s16", "u32", "s32", "f16", "f32"};
  const auto i = static_cast<std::size_t>(number);
  return number >= 0 && i < std::size(names) ? names[i] : absent;
}

std::vector<table> texture_check_tables(const topic_context& c) {
  std::map<std::pair<std::string, bool>, checked> all;
  for (const measurement& m : c.of.measurements)
    if (const results::row& r = m.row(); r.id.starts_with(fetches))
      all[{r.id, axis(r, "filtered") != 0}].add(r);
  table out{"Fetches held against the reference",
            {{"kernel"},
             {"filter"},
             {"formats"},
             {"modes", true},
             {"fetches", true},
             {"wrong", true},
             {"unlike the machine", true},
             {"largest error in 1/256", true}},
            {}};
  for (const auto& [key, found] : all) {
    std::string formats;
    for (const double f : found.formats) formats += (formats.empty() ? "" : ", ") + format_name(f);
    out.lines.push_back(
        {{operation_of(key.first), key.second ? "linear" : "none", formats, fixed(found.modes, 0),
          fixed(found.places, 0), found.trouble.empty() ? fixed(found.wrong, 0) : "not all valid",
          fixed(found.unlike, 0), found.largest ? fixed(*found.largest, 2) : absent},
         found.trouble});
  }
  untold(out);
  return {out};
}

std::vector<table> texture_latency_tables(const topic_context& c) {
  std::set<double> footprints;
  for (const measurement& m : c.of.measurements)
    if (is_chased(m.row())) footprints.insert(axis(m.row(), "footprint_bytes"));
  table out{"A dependent fetch, cycles by footprint", {{"footprint", true}}, {}};
  for (const path& p : chased) out.columns.push_back({p.title, true});
  for (const double f : footprints) {
    line l{{bytes_text(f)}, {}};
    for (const path& p : chased)
      l.cells.push_back(
          value_cell(find(c.of, p.id, "latency", {{"footprint_bytes", f}, {"stride_bytes", 128}}),
                     1, l.notes));
    out.lines.push_back(std::move(l));
  }
  untold(out);
  return {out};
}

std::vector<figure> texture_latency_figures(const topic_context& c) {
  section some{c.of.of, c.of.files, {}};
  for (const measurement& m : c.of.measurements)
    if (is_chased(m.row())) some.measurements.push_back(m);
  std::vector<figure> out;
  if (!some.measurements.empty()) out = staircases(some);
  for (figure& f : out) {
    f.name = "textures-latency";
    f.says = "Latency of a dependent fetch and of a load over the footprint";
  }
  return out;
}

std::vector<table> texture_sm_tables(const topic_context& c) {
  table out{"What one SM serves in a cycle, out of its L1",
            {{"path"}, {"lanes", true}, {"bytes", true}, {"warps", true}, {"streams", true}},
            {}};
  for (const served& s : streams) {
    const measurement* m = find(c.of, s.of.id, "plateau");
    line l{{s.of.title}, {}};
    if (m == nullptr || !m->ok()) {
      l.cells.push_back(value_cell(m, 0, l.notes));
      l.cells.insert(l.cells.end(), 3, absent);
    } else {
      const results::row& r = m->row();
      const double lanes = r.value->median / (r.unit.starts_with("byte") ? s.bytes : 1);
      l.cells.push_back(fixed(lanes, 2));
      l.cells.push_back(fixed(lanes * s.bytes, 1));
      l.cells.push_back(exact(axis(r, "warps")));
      l.cells.push_back(exact(axis(r, "ilp")));
    }
    out.lines.push_back(std::move(l));
  }
  return {out};
}

}  // namespace ptxlab::report
