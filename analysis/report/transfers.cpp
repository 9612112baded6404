// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/report/barrier.hpp"
#include "analysis/report/curves.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr std::string_view protocol = "transfer";
constexpr double smallest_word = 4;

/// "pinned to device" of transfer/copies/pinned_to_device.
std::string way_of(const std::string& id) {
  std::string out = id.substr(id.rfind('/') + 1);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::set<std::string> ids_of(const section& s) {
  std::set<std::string> out;
  for (const measurement& m : s.measurements)
    if (m.row().protocol == protocol) out.insert(m.row().id);
  return out;
}

/// Medians of `quantity` by size, of those that have one.
std::map<double, double> by_size(const section& s, const std::string& id, const char* quantity) {
  std::map<double, double> out;
  for (const measurement& m : s.measurements)
    if (m.row().id == id && m.row().quantity == quantity && m.ok() &&
        m.row().axes.contains("bytes"))
      out[m.row().axes.at("bytes")] = m.row().value->median;
  return out;
}

/// The largest value and where it is.
std::pair<double, double> best_of_sizes(const std::map<double, double>& all) {
  std::pair<double, double> out{0, 0};
  for (const auto& [bytes, value] : all)
    if (value > out.second) out = {bytes, value};
  return out;
}

std::string size_cell(const measurement* m, std::vector<std::string>& notes) {
  if (m == nullptr || !m->ok()) return value_cell(m, 0, notes);
  for (const std::string& flag : m->row().flags) notes.push_back(flag);
  const double bytes = m->row().value->median;
  return bytes_text(bytes < 1024        ? std::round(bytes)
                    : bytes < (1 << 20) ? std::round(bytes / 102.4) * 102.4
                                        : std::round(bytes / 104857.6) * 104857.6);
}

/// Why nothing is known of `id`: the reason of its first row.
std::string reason_of_first(const section& s, const std::string& id) {
  for (const measurement& m : s.measurements)
    if (m.row().id == id && !m.ok()) return m.row().reason;
  return "";
}

/// Three digits, which the rates of small copies need.
std::string digits(double value) {
  return value < 100 ? fmt::format("{:.3g}", value) : fixed(value, 0);
}

table sizes(const topic_context& c, const char* quantity, const std::string& title) {
  table out{title, {{"bytes", true}}, {}};
  std::set<double> all;
  std::vector<std::map<double, double>> columns;
  for (const std::string& id : ids_of(c.of)) {
    std::map<double, double> values = by_size(c.of, id, quantity);
    if (values.empty()) continue;
    out.columns.push_back({way_of(id), true});
    for (const auto& [bytes, value] : values) all.insert(bytes);
    columns.push_back(std::move(values));
  }
  for (const double bytes : all) {
    line l{{bytes_text(bytes)}, {}};
    for (const auto& values : columns) {
      const auto at = values.find(bytes);
      l.cells.push_back(at == values.end() ? not_measured_text : digits(at->second));
    }
    out.lines.push_back(std::move(l));
  }
  if (out.lines.empty()) out.title += fmt::format(": {}", not_measured_text);
  return out;
}

figure drawn(const topic_context& c, const char* quantity, const std::string& what,
             const std::string& axis) {
  std::vector<curve> curves;
  for (const std::string& id : ids_of(c.of)) {
    curve one{way_of(id), {}, false};
    for (const auto& [bytes, value] : by_size(c.of, id, quantity))
      one.points.emplace_back(bytes, value);
    curves.push_back(std::move(one));
  }
  const std::string plot = commands_of(curves);
  if (plot.empty()) return {};
  return {fmt::format("transfers-{}", quantity),
          title_of(what, c.of) +
              "set logscale x 2\nset logscale y 10\nset xrange [1:2147483648]\n"
              "set xtics ('1 B' 1, '16 B' 16, '256 B' 256, '4 KiB' 4096, '64 KiB' 65536, "
              "'1 MiB' 1048576, '16 MiB' 16777216, '256 MiB' 268435456)\n"
              "set xlabel 'bytes of a copy'\nset ylabel " +
              quoted(axis) + "\nset key top left Left reverse samplen 2 font ',10'\n" + plot,
          what};
}

}  // namespace

std::vector<table> transfer_tables(const topic_context& c) {
  table out{"Copies between memories",
            {{"way"},
             {"4 B alone, us", true},
             {"4 B queued, us", true},
             {"best GB/s", true},
             {"at", true},
             {"half, alone", true},
             {"half, queued", true}},
            {}};
  for (const std::string& id : ids_of(c.of)) {
    line l{{way_of(id)}, {}};
    const auto small = [&](const char* quantity) {
      return find(c.of, id, quantity, {{"bytes", smallest_word}});
    };
    const measurement* rate = small("bandwidth");
    const auto [at, best] = best_of_sizes(by_size(c.of, id, "bandwidth"));
    if (best == 0) {
      if (std::string why = reason_of_first(c.of, id); !why.empty())
        l.notes.push_back(std::move(why));
      l.cells.insert(l.cells.end(), out.columns.size() - 1, not_measured_text);
      out.lines.push_back(std::move(l));
      continue;
    }
    l.cells.push_back(value_cell(small("time"), 2, l.notes));
    l.cells.push_back(rate != nullptr && rate->ok()
                          ? fixed(smallest_word / rate->row().value->median / 1e3, 2)
                          : value_cell(rate, 2, l.notes));
    l.cells.push_back(fixed(best, 1));
    l.cells.push_back(bytes_text(at));
    l.cells.push_back(size_cell(find(c.of, id, "half size"), l.notes));
    l.cells.push_back(size_cell(find(c.of, id, "half size queued"), l.notes));
    out.lines.push_back(std::move(l));
  }
  if (out.lines.empty()) out.title += fmt::format(": {}", not_measured_text);
  return {out};
}

std::vector<table> transfer_size_tables(const topic_context& c) {
  return {sizes(c, "time", "One copy, from the call until the host sees its end, in us"),
          sizes(c, "bandwidth", "Copies one behind the other, in GB/s")};
}

std::vector<figure> transfer_figures(const topic_context& c) {
  std::vector<figure> out;
  for (figure f : {drawn(c, "time", "One copy, from the call until the host sees its end", "us"),
                   drawn(c, "bandwidth", "Copies one behind the other", "GB/s")})
    if (!f.commands.empty()) out.push_back(std::move(f));
  return out;
}

std::vector<table> bottleneck_tables(const topic_context& c) {
  table out{"The bus beside the device's own memory",
            {{"way"}, {"GB/s", true}, {"the device's memory is faster", true}},
            {}};
  double dram = 0;
  for (const measurement& m : c.of.measurements)
    if (m.row().id == "bandwidth/global/read_dram" && m.ok())
      dram = std::max(dram, m.row().value->median);
  for (const std::string& id : ids_of(c.of)) {
    const double best = best_of_sizes(by_size(c.of, id, "bandwidth")).second;
    out.lines.push_back(
        {{way_of(id), best > 0 ? fixed(best, 1) : not_measured_text,
          best > 0 && dram > 0 ? fmt::format("{:.0f} times", dram / best) : not_measured_text},
         {}});
  }
  out.lines.push_back(
      {{"a kernel reads DRAM", dram > 0 ? fixed(dram, 0) : not_measured_text, absent}, {}});
  return {out};
}

}  // namespace ptxlab::report
