// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/observers/traffic_text.hpp"

#include <fmt/format.h>

#include <functional>
#include <iterator>

#include "ptx/machine/observers/fitted_table.hpp"

namespace ptxlab::machine {
namespace {

constexpr std::string_view caution = "ptxas may merge, split or drop what is counted here";

/// ".global", as opcodes spell a space.
std::string_view suffix(flow::space s) {
  switch (s) {
    case flow::space::global:
      return ".global";
    case flow::space::shared:
      return ".shared";
    case flow::space::local:
      return ".local";
    case flow::space::constant:
      return ".const";
    case flow::space::param:
      return ".param";
    default:
      return "";
  }
}

std::string opcode_of(const traffic_row& r) {
  const std::string_view s = suffix(r.space);
  if (s.empty() || r.where.opcode.find(s) != std::string::npos) return r.where.opcode;
  return fmt::format("{} ({})", r.where.opcode, s.substr(1));
}

void line_to(std::string& out, const traffic_row& r) {
  const traffic_counts& c = r.counts;
  const auto to = std::back_inserter(out);
  fmt::format_to(to, "{} {}: requests {} lanes {} bytes {}", r.where.label(), opcode_of(r),
                 c.requests, c.lanes, c.bytes);
  if (r.space == flow::space::global) {
    fmt::format_to(to, " sectors {} ideal {} lines {}", c.sectors, c.ideal_sectors, c.lines);
    if (!r.is_atomic())
      fmt::format_to(to, " cc1.0 {} cc1.0-bytes {} cc1.2 {} cc1.2-bytes {}", c.cc10, c.cc10_bytes,
                     c.cc12, c.cc12_bytes);
  } else if (r.space == flow::space::shared) {
    fmt::format_to(to, " passes32 {} ideal32 {} degree32 {}", c.banks32.passes, c.banks32.requests,
                   c.banks32.degree);
    fmt::format_to(to, " passes16 {} ideal16 {} degree16 {}", c.banks16.passes, c.banks16.requests,
                   c.banks16.degree);
  }
  if (r.is_atomic() || r.space == flow::space::constant)
    fmt::format_to(to, " addresses {}", c.addresses);
  if (r.is_atomic()) fmt::format_to(to, " same-address {}", c.same_address);
  if (c.not_modelled != 0) fmt::format_to(to, " not-modelled {}", c.not_modelled);
  out += '\n';
}

struct number_column {
  const char* head;
  unsigned rank;
  std::function<std::uint64_t(const traffic_counts&)> of;
};

using rows = std::vector<const traffic_row*>;

void table_to(std::string& out, std::string_view title, const rows& rs,
              const std::vector<number_column>& numbers, unsigned width) {
  if (rs.empty()) return;
  std::vector<table_column> columns{{"source", false, 0, {}}, {"instruction", false, 0, {}}};
  for (const traffic_row* r : rs) {
    columns[0].cells.push_back(r->where.label());
    columns[1].cells.push_back(opcode_of(*r));
  }
  for (const number_column& n : numbers) {
    table_column& c = columns.emplace_back(table_column{n.head, true, n.rank, {}});
    for (const traffic_row* r : rs) c.cells.push_back(fmt::format("{}", n.of(r->counts)));
  }
  bool untold = false;
  for (const traffic_row* r : rs) untold = untold || r->counts.not_modelled != 0;
  if (untold) {
    table_column& c = columns.emplace_back(table_column{"unknown", true, 0, {}});
    for (const traffic_row* r : rs) c.cells.push_back(fmt::format("{}", r->counts.not_modelled));
  }
  out += fmt::format("\n{}\n{}", title, fitted_table(std::move(columns), width));
}

using counts = traffic_counts;

const std::vector<number_column>& global_columns() {
  static const std::vector<number_column> c{
      {"requests", 0, [](const counts& n) { return n.requests; }},
      {"lanes", 3, [](const counts& n) { return n.lanes; }},
      {"bytes", 5, [](const counts& n) { return n.bytes; }},
      {"sectors", 0, [](const counts& n) { return n.sectors; }},
      {"ideal", 0, [](const counts& n) { return n.ideal_sectors; }},
      {"lines", 4, [](const counts& n) { return n.lines; }},
      {"cc1.0", 2, [](const counts& n) { return n.cc10; }},
      {"cc1.2", 1, [](const counts& n) { return n.cc12; }},
      {"cc1.2 bytes", 6, [](const counts& n) { return n.cc12_bytes; }}};
  return c;
}

const std::vector<number_column>& shared_columns() {
  static const std::vector<number_column> c{
      {"requests", 0, [](const counts& n) { return n.requests; }},
      {"lanes", 4, [](const counts& n) { return n.lanes; }},
      {"bytes", 5, [](const counts& n) { return n.bytes; }},
      {"32 banks", 0, [](const counts& n) { return n.banks32.passes; }},
      {"ideal", 2, [](const counts& n) { return n.banks32.requests; }},
      {"worst", 0, [](const counts& n) { return n.banks32.degree; }},
      {"16 banks", 1, [](const counts& n) { return n.banks16.passes; }},
      {"ideal", 3, [](const counts& n) { return n.banks16.requests; }},
      {"worst", 1, [](const counts& n) { return n.banks16.degree; }}};
  return c;
}

const std::vector<number_column>& atomic_columns() {
  static const std::vector<number_column> c{
      {"requests", 0, [](const counts& n) { return n.requests; }},
      {"lanes", 1, [](const counts& n) { return n.lanes; }},
      {"bytes", 3, [](const counts& n) { return n.bytes; }},
      {"addresses", 0, [](const counts& n) { return n.addresses; }},
      {"same address", 0, [](const counts& n) { return n.same_address; }},
      {"sectors", 2, [](const counts& n) { return n.sectors; }}};
  return c;
}

const std::vector<number_column>& other_columns() {
  static const std::vector<number_column> c{
      {"requests", 0, [](const counts& n) { return n.requests; }},
      {"lanes", 1, [](const counts& n) { return n.lanes; }},
      {"bytes", 0, [](const counts& n) { return n.bytes; }}};
  return c;
}

const std::vector<number_column>& constant_columns() {
  static const std::vector<number_column> c{
      {"requests", 0, [](const counts& n) { return n.requests; }},
      {"lanes", 1, [](const counts& n) { return n.lanes; }},
      {"bytes", 2, [](const counts& n) { return n.bytes; }},
      {"addresses", 0, [](const counts& n) { return n.addresses; }}};
  return c;
}

rows select(const traffic_report& r, const std::function<bool(const traffic_row&)>& which) {
  rows found;
  for (const traffic_row& row : r.rows)
    if (which(row)) found.push_back(&row);
  return found;
}

}  // namespace

std::string traffic_lines(const traffic_report& r) {
  std::string out = fmt::format("{}: {}\n", r.launch.heading("traffic"), caution);
  for (const traffic_row& row : r.rows) line_to(out, row);
  if (r.rows.empty()) out += "no memory accesses\n";
  return out;
}

std::string traffic_tables(const traffic_report& r, unsigned width) {
  std::string out = fmt::format("{}\n({})\n", r.launch.short_heading("traffic", width), caution);
  const auto plain = [&](flow::space s) {
    return select(r, [s](const traffic_row& row) { return !row.is_atomic() && row.space == s; });
  };
  table_to(out, "Global memory: transactions", plain(flow::space::global), global_columns(), width);
  table_to(out, "Shared memory: passes over the banks", plain(flow::space::shared),
           shared_columns(), width);
  table_to(out, "Atomic operations and reductions: lanes that share an address",
           select(r, [](const traffic_row& row) { return row.is_atomic(); }), atomic_columns(),
           width);
  table_to(out, "Local memory", plain(flow::space::local), other_columns(), width);
  table_to(out, "Constant memory", plain(flow::space::constant), constant_columns(), width);
  const auto other = [](const traffic_row& row) {
    return !row.is_atomic() && row.space != flow::space::global &&
           row.space != flow::space::shared && row.space != flow::space::local &&
           row.space != flow::space::constant;
  };
  table_to(out, "Other memory", select(r, other), other_columns(), width);
  if (r.rows.empty()) out += "no memory accesses\n";
  return out;
}

}  // namespace ptxlab::machine
