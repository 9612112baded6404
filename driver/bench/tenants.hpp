// SPDX-License-Identifier: Apache-2.0
// Who else has a hand in a measurement: a profiler in this process, another process on the GPU.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace ptxlab::bench {

/// The first library among the mapped files of a process that NVIDIA's profilers and checkers
/// inject (libcuda-injection, libsanitizer-collection, libTreeLauncherTargetInjection, libcupti);
/// empty if there is none. `maps` is the text of /proc/self/maps.
std::string injected_library(std::string_view maps);

/// Doubts about a whole run, in words, from a device's facts as the worker greets with them.
std::string doubts_of(const std::map<std::string, std::string>& device);

}  // namespace ptxlab::bench
