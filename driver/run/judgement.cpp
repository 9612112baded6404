// SPDX-License-Identifier: Apache-2.0
#include "driver/run/judgement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/run/ticker.hpp"
#include "ptx/machine/contract.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::run {
namespace {

using machine::fused_product;

class judging {
 public:
  judging(result& r, const plan& p, const machine::launch& how)
      : r_(r), plan_(p), how_(how), all_(all_looked_at(p)) {
    how_.record = nullptr;
    how_.observers.clear();
  }

  void run() {
    if (!r_.run.races && r_.run.contents != r_.gpu->contents) look_for_races();
    const freedoms open = freedoms_of(plan_.from.ptx, plan_.kernel);
    const bool racy = r_.run.race_count() != 0;
    for (std::size_t i = 0; i < all_.size(); ++i)
      r_.differences.push_back(
          {all_[i].name, all_[i].what->of, compare(i, r_.run.contents, open, racy)});
    if (open.contraction && !racy && differs()) try_contraction();
  }

 private:
  difference compare(std::size_t i, const std::vector<std::vector<std::byte>>& machine_left,
                     const freedoms& open, bool racy) const {
    return classify(all_[i].what->of, machine_left[i], r_.gpu->contents[i], open, racy);
  }
  bool differs() const {
    return std::any_of(r_.differences.begin(), r_.differences.end(),
                       [](const auto& d) { return d.is.what != difference_class::exact; });
  }

  /// The same run again, watched.
  void look_for_races() {
    const ticker shown("looking for races");
    wanted_reports races;
    races.races = true;
    outcome again = run_on_machine(plan_, how_, races);
    r_.run.races = std::move(again.races);
    r_.run.race_text = std::move(again.race_text);
    r_.run.races_told = again.races_told;
    if (!again.races_told) r_.notes.push_back("the race detector cannot tell of all accesses");
  }

  /// The plan with another text of its module.
  plan with(const std::string& ptx) const {
    plan p;
    p.from.path = plan_.from.path;
    p.from.arch = plan_.from.arch;
    p.from.code = {plan_.from.code.name, ptx, {}};
    p.from.ptx = ptx::parse(ptx, plan_.from.path);
    p.kernel = plan_.kernel;
    p.shape = plan_.shape;
    p.arguments = plan_.arguments;
    p.settings = plan_.settings;
    return p;
  }

  /// Whether the machine gives all of the GPU's bits with this text.
  bool agrees(const std::string& ptx) const {
    const plan fused = with(ptx);
    const outcome o = run_on_machine(fused, how_, {});
    if (!o.finished()) return false;
    for (std::size_t i = 0; i < all_.size(); ++i)
      if (compare(i, o.contents, {}, false).what != difference_class::exact) return false;
    return true;
  }

  void try_contraction() {
    const ticker shown("fusing mul and add");
    std::size_t fused = 0;
    for (const fused_product of_two : {fused_product::first, fused_product::second}) {
      const machine::contraction c = machine::contract(plan_.from.ptx, of_two);
      fused = c.fused;
      if (fused != 0 && agrees(c.ptx)) return proven(fused);
      if (!c.two_ways) break;
    }
    const std::string why =
        fused == 0 ? "not proven: no mul has its one add in the same basic block"
                   : fmt::format("not proven: with {} fused the machine's bits are others again",
                                 fused == 1 ? "the one pair" : fmt::format("all {} pairs", fused));
    for (device_difference& d : r_.differences)
      if (d.is.what == difference_class::maybe_contraction) d.is.why += "; " + why;
  }

  void proven(std::size_t fused) {
    for (device_difference& d : r_.differences) {
      if (d.is.what == difference_class::exact) continue;
      d.is.what = difference_class::contraction;
      d.is.why = fmt::format(
          "with {} of mul and add fused, as ptxas may do, the machine gives the GPU's bits",
          fused == 1 ? "a pair" : fmt::format("{} pairs", fused));
    }
  }

  result& r_;
  const plan& plan_;
  machine::launch how_;
  const std::vector<looked_at> all_;
};

}  // namespace

void judge(result& r, const plan& p, const machine::launch& how) {
  judging(r, p, how).run();
}

}  // namespace ptxlab::run
