// SPDX-License-Identifier: Apache-2.0
// What `ptxlab run` is asked to do, checked against the kernel, and its buffers on one backend.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "driver/backend/backend.hpp"
#include "driver/run/argument.hpp"
#include "driver/run/source.hpp"

namespace ptxlab::run {

/// A module variable that gets a value before the launch.
struct setting {
  std::string variable;
  argument value;  ///< a buffer or a scalar
};

struct plan {
  source from;
  std::string kernel;  ///< its symbol
  harness::launch_shape shape;
  std::vector<argument> arguments;
  std::vector<setting> settings;

  /// "saxpy", for headings.
  std::string shown() const;
};

/// Reads NAME=TYPED. Throws ptxlab::error.
setting read_setting(const std::string& text);
/// "4", "4,2" or "4,2,1". Throws ptxlab::error that names `option`.
void read_extent(const std::string& text, const char* option, std::uint32_t (&out)[3]);
/// The same for --cluster, where 0 is no number of blocks.
void read_cluster(const std::string& text, std::uint32_t (&out)[3]);

/// Throws ptxlab::error, in one line, for arguments that are not those of the kernel: count, sizes,
/// two buffers of one name, variables that the module does not have.
void check(const plan& p);

/// A buffer, or a module variable with a type, that can be looked at after the launch.
struct looked_at {
  const argument* what = nullptr;  ///< its type and count
  std::string name;                ///< "out", "count"
  bool is_variable = false;
  std::size_t index = 0;  ///< in plan::arguments or plan::settings
};
/// All of them: buffers in order, then settings.
std::vector<looked_at> all_looked_at(const plan& p);
/// The one that an index among the arguments or a name means; its place in all_looked_at. Throws
/// ptxlab::error with the nearest name.
std::size_t find_looked_at(const plan& p, const std::string& word);

/// The module, the buffers and the parameter space of a plan on a backend.
class stage {
 public:
  /// Loads, allocates and fills. Throws ptxlab::error for whatever the backend refuses.
  stage(harness::backend& on, const plan& p);

  harness::function_handle function() const { return function_; }
  void launch() { on_.launch(function_, plan_.shape, parameters_); }
  /// Bytes of each of all_looked_at.
  std::vector<std::vector<std::byte>> contents() const;

 private:
  void fill(harness::device_address at, const argument& a);
  void pack();

  harness::backend& on_;
  const plan& plan_;
  harness::module_handle module_;
  harness::function_handle function_;
  std::vector<harness::device_address> buffers_;  ///< parallel to the arguments
  std::vector<std::byte> parameters_;
};

}  // namespace ptxlab::run
