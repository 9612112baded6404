// SPDX-License-Identifier: Apache-2.0
#include "driver/run/trial.hpp"

#include <fmt/format.h>

#include <utility>

#include "driver/run/judgement.hpp"
#include "driver/run/ticker.hpp"
#include "ptx/machine/machine.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::run {
namespace {

std::chrono::milliseconds deadline_of(double seconds) {
  constexpr double by_default = 10;
  return std::chrono::milliseconds(
      static_cast<std::int64_t>((seconds > 0 ? seconds : by_default) * 1000));
}

/// A --out option: a buffer, and the file that it is written to.
struct wanted_output {
  std::size_t which = 0;
  std::string file;
};

wanted_output read_output(const plan& p, const std::string& text) {
  const std::size_t equals = std::min(text.find('='), text.size());
  wanted_output out;
  out.which = find_looked_at(p, text.substr(0, equals));
  if (equals == text.size()) return out;
  out.file = text.substr(equals + 1);
  if (out.file.empty()) throw error(fmt::format("--out {}: no file after '='", text));
  return out;
}

class trial {
 public:
  trial(const plan& p, const trial_options& o) : plan_(p), options_(o) {
    for (const std::string& c : o.comparisons) comparisons_.emplace_back(p, c, o.ulp);
    for (const std::string& t : o.outputs) outputs_.push_back(read_output(p, t));
  }

  result run() {
    result r;
    r.what = &plan_;
    if (options_.repeat > 1)
      several(r);
    else
      one(r, options_.how);
    if (options_.on == devices::both) compare_devices(r);
    put_outputs(r);
    return r;
  }

 private:
  void one(result& r, const machine::launch& how) {
    const ticker shown(fmt::format("{} runs", plan_.shown()));
    r.run = options_.on == devices::cuda ? run_on_gpu(plan_, deadline_of(how.seconds))
                                         : run_on_machine(plan_, how, options_.reports);
    r.comparisons = compared(r.run);
  }

  std::vector<comparison_result> compared(const outcome& o) const {
    std::vector<comparison_result> out;
    if (o.contents.empty()) return out;  // a GPU's memory after a fault
    for (const comparison& c : comparisons_) out.push_back(c.check(o.contents));
    return out;
  }

  void several(result& r) {
    repeat_summary sum;
    machine::launch how = options_.how;
    bool kept = false, kept_fine = false;
    for (; sum.runs < options_.repeat; ++sum.runs, ++how.seed) {
      result next;
      one(next, how);
      const std::string ending = short_ending(next.run, next.comparisons);
      sum.endings[ending].push_back(next.run.on_machine ? next.run.report.token
                                                        : fmt::format("{}", sum.runs));
      const bool is_fine = ending == "finished";
      if (!kept || (kept_fine && !is_fine)) {
        r.run = std::move(next.run);
        r.comparisons = std::move(next.comparisons);
        kept = true;
        kept_fine = is_fine;
      }
      if (r.run.given_up) {  // the kernel still runs: no other can
        ++sum.runs;
        break;
      }
    }
    r.repeats = std::move(sum);
  }

  void compare_devices(result& r) {
    if (!r.run.finished()) {
      r.notes.push_back("not run on the GPU: the machine's run did not finish");
      return;
    }
    {
      const ticker shown(fmt::format("{} runs on the GPU", plan_.shown()));
      r.gpu = run_on_gpu(plan_, deadline_of(options_.how.seconds));
    }
    if (!r.gpu->finished()) return;
    judge(r, plan_, options_.how);
  }

  void put_outputs(result& r) const {
    if (r.run.contents.empty()) return;
    const auto all = all_looked_at(plan_);
    for (const wanted_output& w : outputs_) {
      const looked_at& x = all[w.which];
      const auto& bytes = r.run.contents[w.which];
      if (!w.file.empty()) write_elements(w.file, x.what->of, bytes);
      r.outputs.push_back({x.name, x.what->of, bytes, w.file});
    }
  }

  const plan& plan_;
  const trial_options& options_;
  std::vector<comparison> comparisons_;
  std::vector<wanted_output> outputs_;
};

}  // namespace

result carry_out(const plan& p, const trial_options& o) {
  return trial(p, o).run();
}

}  // namespace ptxlab::run
