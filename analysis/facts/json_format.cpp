// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/json_format.hpp"

#include <nlohmann/json.hpp>

#include "analysis/facts/facts_format.hpp"

namespace ptxlab::facts {
namespace {

using json = nlohmann::ordered_json;

template <typename T>
json or_null(const std::optional<T>& value) {
  return value ? json(*value) : json(nullptr);
}

json text_or_null(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

json to_json(const loop& l) {
  json polls = json::array();
  for (const poll& p : l.polls) {
    json j{
        {"space", p.space}, {"width", p.width}, {"strength", p.strength}, {"address", p.address}};
    if (p.acquire) j["acquire"] = true;
    j["line"] = or_null(p.line);
    polls.push_back(std::move(j));
  }
  json j{{"id", l.id},
         {"file", text_or_null(l.file)},
         {"line", or_null(l.line)},
         {"depth", l.depth},
         {"instructions", l.instructions},
         {"exit", l.exit},
         {"polls", std::move(polls)},
         {"stores", l.stores},
         {"barriers", l.barriers},
         {"fences", l.fences},
         {"calls", l.calls},
         {"trip", or_null(l.trip)}};
  if (!l.function.empty()) j["function"] = l.function;
  return j;
}

json to_json(const stage& s) {
  if (!s.known)
    return {{"known", false}, {"reason", s.reason}, {"instructions", nullptr}, {"loops", nullptr}};
  json loops = json::array();
  for (const loop& l : s.loops) loops.push_back(to_json(l));
  json j{{"instructions", s.instructions}, {"loops", std::move(loops)}, {"opcodes", s.opcodes}};
  j["irreducible"] = s.irreducible;
  j["unknown_branches"] = s.unknown_branches;
  j["unknown_instructions"] = s.unknown_instructions;
  return j;
}

json to_json(const loop_verdict& v) {
  json j{{"file", text_or_null(v.file)},
         {"line", or_null(v.line)},
         {"verdict", v.verdict},
         {"lost_in", text_or_null(v.lost_in)},
         {"ptx_loop", or_null(v.ptx_loop)},
         {"sass_loop", or_null(v.sass_loop)},
         {"factor", or_null(v.factor)},
         {"full", v.full},
         {"peeled", v.peeled},
         {"evidence", v.evidence}};
  if (!v.function.empty()) j["function"] = v.function;
  return j;
}

json to_json(const resources& r) {
  json j = json::object();
  for (const auto& [name, value] : resource_list(r)) j[std::string(name)] = or_null(value);
  j["recursive"] = r.recursive;
  j["notes"] = r.notes;
  return j;
}

json to_json(const kernel& k) {
  json occupancy = json::array(), loops = json::array(), findings = json::array();
  for (const auto& o : k.occ)
    occupancy.push_back({{"block_threads", o.block_threads},
                         {"blocks_per_sm", o.blocks_per_sm},
                         {"warps_per_sm", o.warps_per_sm},
                         {"fraction", o.fraction},
                         {"limiter", o.limiter}});
  for (const loop_verdict& v : k.loops) loops.push_back(to_json(v));
  for (const finding& f : k.findings)
    findings.push_back({{"id", f.id},
                        {"severity", f.severity},
                        {"stage", f.stage},
                        {"file", text_or_null(f.file)},
                        {"line", or_null(f.line)},
                        {"text", f.text}});
  return {{"name", k.name},
          {"demangled", k.demangled},
          {"entry", k.entry},
          {"max_threads", or_null(k.max_threads)},
          {"resources", to_json(k.res)},
          {"occupancy", std::move(occupancy)},
          {"ptx", to_json(k.ptx)},
          {"sass", to_json(k.sass)},
          {"loops", std::move(loops)},
          {"findings", std::move(findings)}};
}

json to_json(const report& r) {
  json kernels = json::array();
  for (const kernel& k : r.kernels) kernels.push_back(to_json(k));
  return {{"schema", "ptxlab.facts/1"}, {"toolkit", r.toolkit}, {"arch", r.arch},
          {"input", r.input},           {"notes", r.notes},     {"kernels", std::move(kernels)}};
}

}  // namespace

std::string json_format(const std::vector<report>& reports) {
  json j = json::array();
  for (const report& r : reports) j.push_back(to_json(r));
  // Bytes of a name that are no UTF-8 are replaced, not an error: the input is anybody's.
  return (reports.size() == 1 ? j[0] : j).dump(2, ' ', false, json::error_handler_t::replace) +
         "\n";
}

}  // namespace ptxlab::facts
