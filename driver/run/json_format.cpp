// SPDX-License-Identifier: Apache-2.0
// `ptxlab run --format json`: everything, with all elements of what --out names.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "driver/run/result.hpp"

namespace ptxlab::run {
namespace {

using json = nlohmann::ordered_json;

json site_json(const machine::site_name& s) {
  return {{"opcode", s.opcode},
          {"function", s.function},
          {"file", s.file},
          {"line", s.line},
          {"ptx_line", s.ptx_line}};
}

json counts_json(const machine::site_counts& c) {
  return {{"warps", c.executed}, {"lanes", c.lanes}, {"diverged", c.diverged}};
}

json mix_json(const machine::mix_report& m) {
  json out{
      {"all", counts_json(m.all.counts)}, {"opcodes", json::object()}, {"lines", json::object()}};
  for (const auto& row : m.opcodes) out["opcodes"][row.name] = counts_json(row.counts);
  for (const auto& row : m.lines) out["lines"][row.name] = counts_json(row.counts);
  out["branches"] = json::array();
  for (const auto& b : m.branches) {
    json row = site_json(b.where);
    row.update(counts_json(b.counts));
    out["branches"].push_back(row);
  }
  return out;
}

json banks_json(const machine::bank_totals& b) {
  return {{"passes", b.passes}, {"ideal", b.requests}, {"degree", b.degree}};
}

json traffic_json(const machine::traffic_report& t) {
  json out = json::array();
  for (const auto& r : t.rows) {
    const machine::traffic_counts& c = r.counts;
    json row = site_json(r.where);
    row["atomic"] = r.is_atomic();
    row.update({{"requests", c.requests},
                {"lanes", c.lanes},
                {"bytes", c.bytes},
                {"not_modelled", c.not_modelled}});
    if (r.space == flow::space::global) {
      row.update(
          {{"sectors", c.sectors}, {"ideal_sectors", c.ideal_sectors}, {"lines_128", c.lines}});
      if (!r.is_atomic())
        row.update({{"cc10", c.cc10},
                    {"cc10_bytes", c.cc10_bytes},
                    {"cc12", c.cc12},
                    {"cc12_bytes", c.cc12_bytes}});
    }
    if (r.space == flow::space::shared)
      row.update({{"banks32", banks_json(c.banks32)}, {"banks16", banks_json(c.banks16)}});
    if (r.is_atomic() || r.space == flow::space::constant)
      row.update({{"addresses", c.addresses}, {"same_address", c.same_address}});
    out.push_back(row);
  }
  return out;
}

json races_json(const outcome& o) {
  json list = json::array();
  for (const race_summary& r : *o.races)
    list.push_back({{"kind", r.kind},
                    {"first", r.first},
                    {"second", r.second},
                    {"pairs", r.pairs},
                    {"words", r.words},
                    {"harmless", r.harmless}});
  return {{"told", o.races_told}, {"list", list}, {"text", o.race_text}};
}

json machine_json(const outcome& o) {
  const machine::run_report& m = o.report;
  json out{{"device", o.device}, {"ending", machine::name(m.how)}, {"reason", m.reason}};
  if (!o.on_machine) return out;
  out["token"] = m.token;
  out["resident"] = {{"blocks", o.resident.blocks}, {"model", o.resident.model}};
  out["steps"] = {{"warps", m.warp_steps}, {"lanes", m.lane_steps}};
  out["blocks"] = {{"started", m.blocks_started}, {"finished", m.blocks_finished}};
  out["stuck_in_all"] = m.stuck_in_all;
  out["stuck"] = json::array();
  for (const machine::waiting& w : m.stuck)
    out["stuck"].push_back({{"block", w.who.block},
                            {"warp", w.who.warp},
                            {"lanes", w.who.mask},
                            {"at", w.at},
                            {"polls", w.polls},
                            {"condition", w.condition},
                            {"last_write", w.writer}});
  out["notes"] = m.notes;
  out["printed"] = m.printed;
  if (o.mix) out["mix"] = mix_json(*o.mix);
  if (o.traffic) out["traffic"] = traffic_json(*o.traffic);
  if (o.races) out["races"] = races_json(o);
  return out;
}

json values_json(const output& o) {
  json all = json::array();
  for (std::uint64_t i = 0; i < o.bytes.size() / element_bytes(o.of); ++i)
    all.push_back(element_text(o.of, element_at(o.bytes, o.of, i)));
  return all;
}

}  // namespace

std::string json_format(const result& r) {
  json out{{"level", "PTX"},
           {"file", r.what->from.path},
           {"kernel", r.what->kernel},
           {"grid", r.what->shape.grid},
           {"block", r.what->shape.block},
           {"dynamic_shared", r.what->shape.dynamic_shared},
           {"cooperative", r.what->shape.cooperative},
           {"fine", fine(r)},
           {"notes", r.notes},
           {"run", machine_json(r.run)}};
  if (r.gpu) out["gpu"] = machine_json(*r.gpu);
  if (r.repeats) out["repeats"] = {{"runs", r.repeats->runs}, {"endings", r.repeats->endings}};
  for (const output& o : r.outputs) {
    json one{{"type", machine::name(o.of)}};
    if (o.file.empty())
      one["values"] = values_json(o);
    else
      one["file"] = o.file;
    out["out"][o.name] = one;
  }
  for (const comparison_result& c : r.comparisons) {
    const type of = type_of(*r.what, c.name);
    json first = json::array();
    for (const unequal& u : c.first)
      first.push_back({{"index", u.index},
                       {"is", element_text(of, u.got)},
                       {"expected", element_text(of, u.expected)}});
    out["compare"].push_back({{"buffer", c.name},
                              {"elements", c.elements},
                              {"differing", c.differing},
                              {"largest_ulp", c.largest_ulp},
                              {"first", first}});
  }
  for (const device_difference& d : r.differences)
    out["difference"].push_back({{"buffer", d.name},
                                 {"class", name(d.is.what)},
                                 {"elements", d.is.elements},
                                 {"differing", d.is.differing},
                                 {"largest_ulp", d.is.largest_ulp},
                                 {"why", d.is.why}});
  return out.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace ptxlab::run
