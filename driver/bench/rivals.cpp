// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/rivals.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <bit>

#include "analysis/toolchain/tools.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

namespace fs = std::filesystem;

fs::path beside_the_program() {
  const fs::path self = toolchain::own_executable().parent_path();
  const fs::path installed = self.parent_path() / "lib/ptxlab/ptxlab_rivals.so";
  std::error_code ignored;
  return fs::exists(installed, ignored) ? installed : self / "lib/ptxlab_rivals.so";
}

}  // namespace

rival_library::rival_library(const fs::path& file) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    const fs::path folder = file.parent_path(), last_three = folder.parent_path().filename() /
                                                             folder.filename() / file.filename();
    missing_ = fmt::format("{} is not there: make rivals", last_three.string());
    return;
  }
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    missing_ = fmt::format("the library of rivals cannot be used: {}", dlerror());
    return;
  }
  run_ = reinterpret_cast<decltype(run_)>(dlsym(handle, "ptxlab_rival_run"));
  message_ = reinterpret_cast<decltype(message_)>(dlsym(handle, "ptxlab_rival_message"));
  about_ = reinterpret_cast<decltype(about_)>(dlsym(handle, "ptxlab_rivals_about"));
  if (run_ == nullptr || message_ == nullptr || about_ == nullptr)
    missing_ = fmt::format("{} is no library of rivals", file.string());
}

const rival_library& rival_library::get() {
  static const rival_library one(beside_the_program());
  return one;
}

std::string rival_library::about() const {
  if (!missing_.empty()) throw error(missing_);
  return about_();
}

void rival_library::run(ptxlab_rival_call& call) const {
  if (!missing_.empty()) throw error(missing_);
  if (const int status = run_(&call); status != 0)
    throw error(fmt::format("{}: {} of {}: {}", call.who, call.what, call.n, message_(status)));
}

rival::rival(const rival_library& from, std::string who, std::string what, const rival_data& on)
    : from_(from), who_(std::move(who)), what_(std::move(what)), on_(on) {
  call_.who = who_.c_str();
  call_.what = what_.c_str();
  call_.keys = std::bit_cast<const void*>(on.keys);
  call_.keys_out = std::bit_cast<void*>(on.keys_out);
  call_.values = std::bit_cast<const void*>(on.values);
  call_.values_out = std::bit_cast<void*>(on.values_out);
  call_.n = on.n;
  from_.run(call_);
  temp_ = std::make_unique<cuda::buffer<unsigned char>>(call_.temp_bytes);
  call_.temp = std::bit_cast<void*>(temp_->address());
}

void rival::queue(const cuda::stream& s) {
  call_.stream = s.handle();
  from_.run(call_);
}

std::string_view name_of(kernels::number n) {
  switch (n) {
    case kernels::number::u32:
      return "u32";
    case kernels::number::s32:
      return "s32";
    case kernels::number::f32:
      return "f32";
    case kernels::number::f64:
      return "f64";
    case kernels::number::u64:
      return "u64";
  }
  return "";
}

}  // namespace ptxlab::bench
