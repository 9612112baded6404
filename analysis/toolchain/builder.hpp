// SPDX-License-Identifier: Apache-2.0
// The state behind build_all: one order per request, one item per build, and the jobs that fill
// them. For build.cpp and build_container.cpp only.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "analysis/toolchain/build.hpp"
#include "analysis/toolchain/jobs.hpp"
#include "analysis/toolchain/step.hpp"

namespace ptxlab::toolchain {

// A build while its steps run; the mutex guards `made.timings` and the states of the front ends.
struct item {
  build made;
  std::mutex mutex;
  bool optimised_ok = false, debug_failed = false;
};

// A request while its steps run. Every field is written by one chain of jobs only.
struct order {
  const request* asked = nullptr;
  std::string content;
  std::vector<std::unique_ptr<item>> items;
  std::mutex mutex;
  std::string failure;

  void fail(const std::string& reason) {
    const std::scoped_lock lock(mutex);
    if (failure.empty()) failure = reason;
  }
};

class builder {
 public:
  builder(const toolset& tools, const cache& store, const options& how)
      : shop_(tools, store, how.timeout), how_(how), pool_(how.threads) {}

  std::vector<result> run(const std::vector<request>& requests);

 private:
  void add(order& whole, std::function<void()> job, bool urgent = true);
  void begin(order& whole);
  void begin_source(order& whole);
  void begin_ptx(order& whole);
  void begin_cubin(order& whole);
  void begin_container(order& whole);
  void add_embedded_cubin(order& whole, embedded& cubin, const embedded* ptx);
  void add_embedded_ptx(order& whole, embedded& ptx);

  void compile(order& whole, item& one);
  void compile_for_comparison(order& whole, item& one, front_end how);
  void fall_back_if_needed(order& whole, item& one);
  void assemble_ptx(order& whole, item& one, std::vector<std::string> flags);
  void inspect(order& whole, item& one);

  item& new_item(order& whole) const;
  static void note_time(item& one, const step& done);
  source source_of(const order& whole) const;
  std::string architecture_of_cubin(item& one) const;
  void finish(order& whole, result& into) const;

  workshop shop_;
  const options& how_;
  std::mutex progress_mutex_;
  std::size_t done_ = 0;
  std::atomic<std::size_t> known_{0};
  job_pool pool_;  // last: its threads end before the rest goes
};

/// The 90 of "sm_90a"; 0 if it is none.
int architecture_number(const std::string& arch);

}  // namespace ptxlab::toolchain
