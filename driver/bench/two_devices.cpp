// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/two_devices.hpp"

#include <fmt/format.h>

#include <cstring>

namespace ptxlab::bench {

const char* name(place p) {
  switch (p) {
    case place::own:
      return "own";
    case place::peer:
      return "peer";
    case place::host:
      return "host";
  }
  return "?";
}

std::optional<int> peer_of(const cuda::device& first) {
  for (int i = 0; i < cuda::device_count(); ++i) {
    if (i == first.ordinal()) continue;
    const cuda::device other(i);
    if (cuda::can_reach(first, other) && cuda::can_reach(other, first)) return i;
  }
  return std::nullopt;
}

std::string no_peer_reason(const cuda::device& first) {
  const int count = cuda::device_count();
  if (count < 2) return "needs two GPUs that can reach each other; here is one";
  return fmt::format("needs two GPUs that can reach each other; {} reaches none of the other {}",
                     first.identify(), count - 1);
}

two_devices::two_devices(lab& first, int other, std::uint64_t bytes)
    : first_(first), here_(first.gpu().ordinal()), other_(other) {
  other_.reach(here_);
  here_.reach(other_);
  const std::uint64_t all = std::max(bytes, cleared_bytes);
  own_ = std::make_unique<cuda::buffer<unsigned char>>(all);
  host_ = std::make_unique<cuda::shared_with_host<words>>();
  there([&] {
    peer_ = std::make_unique<cuda::buffer<unsigned char>>(all);
    second_ = std::make_unique<lab>(other_.on().ordinal());
  });
}

two_devices::~two_devices() {
  // What is given back has to be of the current context. A lost context gives nothing back.
  try {
    there([&] {
      second_.reset();
      peer_.reset();
    });
  } catch (const error&) {
  }
}

void two_devices::there(const std::function<void()>& what) {
  const struct restore {
    const cuda::context& to;
    ~restore() {
      try {
        to.use();
      } catch (const error&) {  // then every later call will say so
      }
    }
  } back{here_};
  other_.use();
  what();
}

CUdeviceptr two_devices::at(place p, std::uint64_t offset) const {
  const CUdeviceptr base = p == place::own    ? own_->address()
                           : p == place::peer ? peer_->address()
                                              : host_->address();
  return base + offset;
}

std::uint32_t* two_devices::host(std::uint64_t offset) const {
  return &(**host_).word[offset / sizeof(std::uint32_t)];
}

void two_devices::clear() {
  std::memset(host(0), 0, cleared_bytes);
  cuda::fill(own_->address(), 0, cleared_bytes);
  there([this] {
    cuda::fill(peer_->address(), 0, cleared_bytes);
    cuda::synchronise();
  });
  cuda::synchronise();
}

void two_devices::arm_other(std::string_view symbol, const cuda::geometry& g,
                            const std::vector<std::uint64_t>& operands, std::size_t samples) {
  there([&] {
    if (loaded_ != symbol)
      second_->load(first_.image(), "the cubin on the other GPU", std::string(symbol));
    loaded_ = symbol;
    second_->arm(g, operands, samples);
    second_->resident(g);  // the driver loads a kernel late, and not while another one spins
  });
}

void two_devices::queue_other(const cuda::geometry& g) {
  there([&] { second_->queue(g); });
}

void two_devices::wait_other() {
  there([this] { second_->wait(); });
}

std::vector<sample> two_devices::collect_other() {
  std::vector<sample> out;
  there([&] { out = second_->collect(); });
  return out;
}

}  // namespace ptxlab::bench
