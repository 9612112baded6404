// SPDX-License-Identifier: Apache-2.0
#include "driver/occupancy/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "analysis/facts/occupancy.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::occupancy {
namespace {

constexpr std::string_view header = "kernel,registers,shared,points,differences";

std::string count_text(const facts::count& n) {
  return n ? std::to_string(*n) : "";
}

/// Nothing for an empty field. Throws ptxlab::error.
facts::count count_of(const std::string& field, const std::string& where) {
  if (field.empty()) return {};
  std::int64_t n = 0;
  const auto [end, problem] = std::from_chars(field.data(), field.data() + field.size(), n);
  if (problem != std::errc() || end != field.data() + field.size() || n < 0)
    throw error(fmt::format("{}: '{}' is no count", where, field));
  return n;
}

}  // namespace

std::vector<shape> usual_shapes() {
  constexpr std::int64_t kib = 1024;
  std::vector<shape> out;
  for (const std::int64_t bytes : {0L, 16 * kib, 48 * kib, 100 * kib, 200 * kib})
    for (int threads = 32; threads <= 1024; threads += 32) out.push_back({threads, bytes});
  return out;
}

std::vector<std::string> compared::lines() const {
  std::vector<std::string> out;
  for (const std::string& d : disagreements) out.push_back(fmt::format("{}: {}", id, d));
  for (const difference& d : differences)
    out.push_back(
        fmt::format("{}: blocks of {} threads with {} bytes of dynamic shared memory: {} by the "
                    "facts, {} by the driver",
                    id, d.at.block_threads, d.at.dynamic_shared_bytes, d.facts, d.driver));
  if (!problem.empty()) out.push_back(fmt::format("{}: {}", id, problem));
  return out;
}

compared compare(const prepared_kernel& k, const std::string& arch,
                 const std::vector<shape>& shapes, const driver_answer& ask) {
  compared out;
  out.id = k.id;
  out.registers = k.registers;
  out.shared_bytes = k.shared_bytes;
  for (const shape& at : shapes) {
    if (k.max_threads && at.block_threads > *k.max_threads) continue;
    const facts::occupancy_table ours = facts::compute_occupancy(
        k.uses(), arch, k.max_threads, at.dynamic_shared_bytes, {at.block_threads});
    if (ours.rows.empty()) {
      if (out.problem.empty() && !ours.notes.empty()) out.problem = ours.notes.front();
      continue;
    }
    ++out.points;
    const int blocks = ours.rows.front().blocks_per_sm, theirs = ask(at);
    if (blocks != theirs) out.differences.push_back({at, blocks, theirs});
  }
  if (out.points == 0 && out.problem.empty()) out.problem = "no shape was compared";
  return out;
}

std::string csv_of(const std::vector<compared>& all) {
  std::string out(header);
  out += "\n";
  for (const compared& c : all)
    out += fmt::format("{},{},{},{},{}\n", c.id, count_text(c.registers),
                       count_text(c.shared_bytes), c.points, c.lines().size());
  return out;
}

archived read_csv(const std::string& text, const std::string& name) {
  archived out;
  std::istringstream in(text);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    const std::string where = fmt::format("{}:{}", name, number);
    if (number == 1) {
      if (line != header) throw error(fmt::format("{}: expected '{}'", where, header));
      continue;
    }
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string f; std::getline(parts, f, ',');) fields.push_back(f);
    if (fields.size() != 5) throw error(fmt::format("{}: expected 5 fields", where));
    const auto points = count_of(fields[3], where), differences = count_of(fields[4], where);
    if (!points || !differences) throw error(fmt::format("{}: a count is missing", where));
    ++out.kernels;
    out.points += static_cast<std::size_t>(*points);
    out.differences += static_cast<std::size_t>(*differences);
    if (*differences > 0) ++out.differing;
    if (const auto r = count_of(fields[1], where)) {
      out.least_registers = out.most_registers == 0 ? *r : std::min(out.least_registers, *r);
      out.most_registers = std::max(out.most_registers, *r);
    }
    if (const auto s = count_of(fields[2], where))
      out.most_shared_bytes = std::max(out.most_shared_bytes, *s);
  }
  if (out.kernels == 0) throw error(fmt::format("{}: no kernel in it", name));
  return out;
}

}  // namespace ptxlab::occupancy
