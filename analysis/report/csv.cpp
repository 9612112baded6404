// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/csv.hpp"

#include "analysis/report/quantity.hpp"
#include "analysis/report/record.hpp"

namespace ptxlab::report {
namespace {

const std::vector<std::string> header = {"id",
                                         "axes",
                                         "quantity",
                                         "unit",
                                         "median",
                                         "min",
                                         "mad",
                                         "p5",
                                         "p95",
                                         "samples",
                                         "valid",
                                         "reason",
                                         "sass",
                                         "device",
                                         "sm_clock_mhz",
                                         "driver",
                                         "toolkit",
                                         "commit",
                                         "cubin_sha256",
                                         "published",
                                         "published_chip",
                                         "published_source",
                                         "static_cycles",
                                         "residual",
                                         "flags",
                                         "by_timer_ns",
                                         "max",
                                         "arch",
                                         "state",
                                         "runs",
                                         "lowest_median",
                                         "highest_median",
                                         "registers",
                                         "spill_bytes",
                                         "shared_bytes",
                                         "block_threads",
                                         "blocks_per_sm"};

/// "unknown" is a word for people.
std::string known(const std::string& text) {
  return text == "unknown" ? "" : text;
}

std::string exact_or_empty(const std::optional<double>& value) {
  return value ? exact(*value) : "";
}

std::string exact_or_empty(const std::optional<std::int64_t>& value) {
  return value ? std::to_string(*value) : "";
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& t : texts) out += (out.empty() ? "" : "; ") + t;
  return out;
}

std::string record_of(const measurement& m, const section& s, const published& others) {
  const results::row& r = m.row();
  std::vector<std::string> values(6), spread(2), value, chip, where;
  std::string largest;
  if (r.value) {
    const results::summary& v = *r.value;
    values = {exact(v.median), exact(v.min), exact(v.mad),
              exact(v.p5),     exact(v.p95), std::to_string(v.samples)};
    largest = exact(v.max);
    spread = {exact(m.lowest_median()), exact(m.highest_median())};
  }
  for (const published_value& p : others.of(r.published)) {
    value.push_back(p.value);
    chip.push_back(p.chip);
    where.push_back(p.source);
  }
  std::vector<std::string> fields = {r.id, axes_record(r.axes), r.quantity, r.unit};
  fields.insert(fields.end(), values.begin(), values.end());
  const std::vector<std::string> rest = {m.ok() ? "true" : "false",
                                         r.reason,
                                         r.sass,
                                         known(s.of.device),
                                         r.sm_clock_mhz > 0 ? exact(r.sm_clock_mhz) : "",
                                         known(s.of.driver),
                                         known(s.of.nvcc),
                                         known(s.of.commit),
                                         r.cubin_sha256,
                                         joined(value),
                                         joined(chip),
                                         joined(where),
                                         exact_or_empty(r.static_cycles),
                                         exact_or_empty(r.residual),
                                         joined(r.flags),
                                         exact_or_empty(r.by_timer_ns),
                                         largest,
                                         known(s.of.arch),
                                         results::name(r.state),
                                         std::to_string(m.runs.size())};
  fields.insert(fields.end(), rest.begin(), rest.end());
  fields.insert(fields.end(), spread.begin(), spread.end());
  const results::resources& u = r.uses;
  for (const auto& n :
       {u.registers, u.spill_bytes, u.shared_bytes, u.block_threads, u.blocks_per_sm})
    fields.push_back(exact_or_empty(n));
  return record_text(fields);
}

}  // namespace

std::string csv_format(const collection& all, const published& others) {
  std::string out = record_text(header);
  for (const section& s : all.sections())
    for (const measurement& m : s.measurements) out += record_of(m, s, others);
  return out;
}

}  // namespace ptxlab::report
