// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/operations/print.hpp"

#include <cstdio>
#include <cstring>

#include "ptx/machine/decode.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/warp.hpp"

namespace ptxlab::machine {
namespace {

constexpr std::size_t longest_string = 1 << 16;

/// The byte of a generic address, or null.
const std::byte* byte_at(warp& w, unsigned lane, address at) {
  if (at - shared_base < window_bytes) {
    const address offset = at - shared_base;
    return offset < w.in().shared_bytes() ? w.in().shared() + offset : nullptr;
  }
  if (at - local_base < window_bytes) {
    const address offset = at - local_base;
    return offset < w.local_bytes() ? w.local_memory(lane) + offset : nullptr;
  }
  const memory& m = w.in().in().device();
  const allocation* const a = m.find(at);
  return a != nullptr && a->live ? m.host(at) : nullptr;
}

template <class T>
T value_at(warp& w, unsigned lane, address at) {
  std::byte bytes[sizeof(T)];
  for (std::size_t k = 0; k < sizeof(T); ++k) {
    const std::byte* const b = byte_at(w, lane, at + k);
    if (b == nullptr)
      throw fault{fault::kind::outside, "printf reads an argument that is not there", lane};
    bytes[k] = *b;
  }
  T v;
  std::memcpy(&v, bytes, sizeof v);
  return v;
}

template <class T>
std::string print_one(const std::string& spec, T v) {
  char buffer[512];
  const int n = std::snprintf(buffer, sizeof buffer, spec.c_str(), v);
  return n < 0 ? std::string()
               : std::string(buffer,
                             std::min<std::size_t>(static_cast<std::size_t>(n), sizeof buffer - 1));
}

}  // namespace

std::string string_at(warp& w, unsigned lane, address at) {
  std::string out;
  for (; out.size() < longest_string; ++at) {
    const std::byte* const b = byte_at(w, lane, at);
    if (b == nullptr) throw fault{fault::kind::outside, "a string lies in no memory", lane};
    if (*b == std::byte{0}) break;
    out += static_cast<char>(*b);
  }
  return out;
}

std::string formatted(warp& w, unsigned lane, address format, address arguments) {
  const std::string text = string_at(w, lane, format);
  std::string out;
  const auto next = [&](unsigned bytes) {
    arguments = (arguments + bytes - 1) / bytes * bytes;
    const address at = arguments;
    arguments += bytes;
    return at;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    std::string spec = "%";
    bool is_long = false;
    for (++i; i < text.size(); ++i) {
      const char ch = text[i];
      if (ch == 'l' || ch == 'z' || ch == 'j' || ch == 't') is_long = true;
      if (ch == '*') {
        spec += std::to_string(value_at<std::int32_t>(w, lane, next(4)));
      } else if (std::strchr("hlzjtL", ch) == nullptr) {
        spec += ch;
      }
      if (std::strchr("0123456789.-+ #*hlzjtL", ch) == nullptr) break;
    }
    const char kind = spec.back();
    if (spec.size() > 40) continue;
    const std::string flags = spec.substr(0, spec.size() - 1);
    if (kind == '%') {
      out += '%';
    } else if (kind == 's') {
      out += string_at(w, lane, value_at<std::uint64_t>(w, lane, next(8)));
    } else if (std::strchr("eEfFgGaA", kind) != nullptr) {
      out += print_one(spec, value_at<double>(w, lane, next(8)));
    } else if (kind == 'p') {
      out += print_one(flags + "#llx", value_at<unsigned long long>(w, lane, next(8)));
    } else if (std::strchr("diouxX", kind) != nullptr) {
      if (is_long)
        out += print_one(flags + "ll" + kind, value_at<long long>(w, lane, next(8)));
      else
        out += print_one(spec, value_at<int>(w, lane, next(4)));
    } else if (kind == 'c') {
      out += print_one(spec, value_at<int>(w, lane, next(4)));
    } else {
      out += spec;
    }
  }
  return out;
}

}  // namespace ptxlab::machine
