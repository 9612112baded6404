// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/repeats.hpp"

#include <optional>

#include "driver/bench/lab.hpp"
#include "driver/cuda/check.hpp"
#include "driver/cuda/event.hpp"

namespace ptxlab::bench {

held::held(lab& l) : lab_(l) {
  l.hold();
}
held::~held() {
  lab_.release();
}

results::series timed(lab& l, const repeated& work) {
  results::series out{work.length, {}};
  cuda::event begin, end;
  for (int i = -work.cold; i < work.repeats; ++i) {
    if (work.before) work.before();
    {
      std::optional<held> until_all_is_queued;
      if (work.held) until_all_is_queued.emplace(l);
      begin.record(l.queue_of());
      work.queue();
      end.record(l.queue_of());
    }
    l.wait();
    if (work.after) work.after();
    if (i >= 0) out.values.push_back(end.ns_since(begin));
  }
  return out;
}

std::string failure_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const hang&) {
    throw;
  } catch (const cuda::cuda_error& e) {
    if (e.sticky()) throw;
    return e.what();
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

void time_in_turn(std::vector<contender>& all, int repeats, int cold) {
  for (contender& c : all) c.taken = {c.length, {}};
  for (int i = -cold; i < repeats; ++i)
    for (contender& c : all) {
      if (!c.failure.empty()) continue;
      c.failure = failure_of([&] {
        const double ns = c.once();
        if (i >= 0) c.taken.values.push_back(ns);
      });
    }
}

}  // namespace ptxlab::bench
