// SPDX-License-Identifier: Apache-2.0
// warp-sync-missing: lanes of a warp that pass values through shared memory without waiting.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/linear_address.hpp"
#include "analysis/facts/rules.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;

/// The texts that declare shared variables: ".extern .shared .align 16 .b8 words[];". Most texts of
/// a module are debug sections, long and of no interest.
std::vector<std::string_view> shared_declarations(const ptx::module& m, const ptx::function& f) {
  std::vector<std::string_view> out;
  for (const auto* texts : {&m.texts, &f.texts})
    for (const std::string_view text : *texts)
      if (text.substr(0, 64).find(".shared") != std::string_view::npos) out.push_back(text);
  return out;
}

bool declares(std::string_view text, const std::string& variable) {
  const std::size_t at = text.find(variable);
  const std::size_t end = at + variable.size();
  return at != std::string_view::npos &&
         (end >= text.size() ||
          std::string_view("[; \t\n=").find(text[end]) != std::string_view::npos);
}

/// Whether the load reads the element of another lane of the same warp: both addresses are the same
/// sum but for 1 to 31 elements, an element being the step from lane to lane.
bool other_lane(const linear_address& store, const linear_address& load) {
  if (!store.known || !load.known || store.variable != load.variable || store.terms != load.terms)
    return false;
  std::int64_t step = 0;
  for (const auto& [name, t] : store.terms)
    if (t.lane) step = step == 0 ? std::abs(t.bytes) : std::min(step, std::abs(t.bytes));
  const std::int64_t distance = std::abs(load.offset - store.offset);
  return step != 0 && distance != 0 && distance % step == 0 && distance / step < 32;
}

class search {
 public:
  search(const ptx::module& m, const ptx::function& text, const stage_function& f)
      : m_(m), text_(text), f_(f), shared_(shared_declarations(m, text)) {}

  /// The first load behind `store` that reads another lane's element with nothing to wait between.
  std::uint32_t run(std::uint32_t store) {
    const linear_address to = address_of(m_, text_, f_, store);
    if (!to.known || to.variable.empty() || !is_shared(store, to.variable)) return flow::nowhere;
    std::set<std::uint32_t> seen;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> work{
        {f_.graph.block_of(store), store + 1}};
    while (!work.empty()) {
      const auto [b, begin] = work.back();
      work.pop_back();
      bool waits = false;
      for (std::uint32_t i = begin; i < f_.graph[b].end && !waits; ++i) {
        const flow::op& o = f_.code.ops[i];
        waits = o.what == kind::barrier || o.what == kind::warp_sync || o.what == kind::fence ||
                o.what == kind::exchange || o.what == kind::call;
        const bool reads = o.what == kind::load &&
                           (o.memory == flow::space::shared || o.memory == flow::space::generic);
        if (reads && other_lane(to, address_of(m_, text_, f_, i))) return i;
      }
      if (waits) continue;
      for (const std::uint32_t next : f_.graph.successors(b))
        if (seen.insert(next).second) work.emplace_back(next, f_.graph[next].begin);
    }
    return flow::nowhere;
  }

 private:
  bool is_shared(std::uint32_t store, const std::string& variable) const {
    return f_.code.ops[store].memory == flow::space::shared ||
           std::any_of(shared_.begin(), shared_.end(),
                       [&](std::string_view text) { return declares(text, variable); });
  }

  const ptx::module& m_;
  const ptx::function& text_;
  const stage_function& f_;
  std::vector<std::string_view> shared_;
};

bool find_in(const subject& s, const stage_code& code, const ptx::module& m, const char* stage,
             std::vector<finding>& out) {
  const std::size_t before = out.size();
  for (const stage_function& f : code.functions) {
    const ptx::function* text = m.find(f.name);
    if (text == nullptr) continue;
    search in(m, *text, f);
    for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
      const flow::op& o = f.code.ops[i];
      const bool stores = o.what == kind::store &&
                          (o.memory == flow::space::shared || o.memory == flow::space::generic);
      if (!stores || f.graph.block_of(i) == flow::nowhere) continue;
      const std::uint32_t load = in.run(i);
      if (load == flow::nowhere) continue;
      const site at = f.origins[i].where;
      out.push_back(finding_at(
          f, load, s.sites, stage,
          fmt::format("reads the element of another lane, stored in line {}, and nothing makes the "
                      "lanes wait between",
                      at == no_site ? "?" : fmt::format("{}", s.sites[at].line))));
    }
  }
  return out.size() > before;
}

void look(const subject& s, std::vector<finding>& out) {
  if (s.ptx != nullptr && s.ptx_module != nullptr && find_in(s, *s.ptx, *s.ptx_module, "ptx", out))
    return;
  if (s.source != nullptr && s.source_module != nullptr)
    find_in(s, *s.source, *s.source_module, "source", out);
}

const rule_registration registration({
    .id = "warp-sync-missing",
    .severity = "warning",
    .what =
        "A thread stores to shared memory by its lane number, then loads the element of another "
        "lane of its warp, with no barrier, __syncwarp, fence or exchange between. Looked for in "
        "the PTX, then in the unoptimised PTX.",
    .why =
        "Since compute capability 7.0 the lanes of a warp need not run in step, and nvcc never "
        "promised it: it may read all elements first and store once. volatile keeps the accesses, "
        "not their order between lanes. Right results prove nothing.",
    .remedy =
        "Put __syncwarp() between read and write and between write and read, or pass the values "
        "by __shfl_down_sync or __reduce_add_sync.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
