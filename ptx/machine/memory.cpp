// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "ptx/machine/decode.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

constexpr std::uint64_t alignment = 256;
/// Between two allocations, so that a small overrun meets neither.
constexpr std::uint64_t gap = 256;

}  // namespace

memory::memory(std::uint64_t capacity) : first_(parameter_base), capacity_(capacity) {
  void* const at = mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED)
    throw error(fmt::format("the machine: no address space for {} bytes of memory", capacity));
  base_ = static_cast<std::byte*>(at);
  next_ = first_;
  allocate(parameter_space_bytes, "kernel parameters", true);
}

memory::~memory() {
  munmap(base_, capacity_);
}

address memory::allocate(std::uint64_t bytes, std::string name, bool constant) {
  const std::uint64_t taken =
      bytes > capacity_ ? capacity_ + 1 : (bytes + gap + alignment - 1) / alignment * alignment;
  if (taken > capacity_ - used())
    throw error(fmt::format("the machine is out of memory: {} bytes for '{}', {} of {} are taken",
                            bytes, name, used(), capacity_));
  allocation a;
  a.name = std::move(name);
  a.begin = next_;
  a.bytes = bytes;
  a.constant = constant;
  if (tracking_ && !constant) a.written.assign((bytes + 63) / 64, 0);
  next_ += taken;
  all_.push_back(std::move(a));
  return all_.back().begin;
}

void memory::release(address begin) {
  allocation* const a = writable(begin);
  if (a == nullptr || a->begin != begin || !a->live || a == &all_.front())
    throw error(fmt::format("nothing was allocated at {:#x}", begin));
  a->live = false;
  // Its pages go back; its addresses are not used again.
  const std::uint64_t page = 4096;
  const std::uint64_t from = (begin - first_ + page - 1) / page * page;
  const std::uint64_t to = (begin - first_ + a->bytes) / page * page;
  if (from < to) madvise(base_ + from, to - from, MADV_DONTNEED);
}

const allocation* memory::find(address at) const {
  const auto after = std::upper_bound(all_.begin(), all_.end(), at,
                                      [](address x, const allocation& a) { return x < a.begin; });
  if (after == all_.begin()) return nullptr;
  const allocation& a = *(after - 1);
  return at < a.end() ? &a : nullptr;
}

allocation* memory::writable(address at) {
  return const_cast<allocation*>(std::as_const(*this).find(at));
}

const allocation& memory::range(address at, std::uint64_t bytes) const {
  const allocation* const a = find(at);
  if (a == nullptr || !a->live || bytes > a->end() - at) throw error(explain(at, bytes));
  return *a;
}

void memory::write(address to, std::span<const std::byte> from) {
  if (from.empty()) return;
  range(to, from.size());
  std::memcpy(host(to), from.data(), from.size());
  if (tracking_) mark_written(to, from.size());
}

void memory::read(std::span<std::byte> to, address from) const {
  if (to.empty()) return;
  range(from, to.size());
  std::memcpy(to.data(), host(from), to.size());
}

void memory::fill(address to, std::byte value, std::uint64_t bytes) {
  if (bytes == 0) return;
  range(to, bytes);
  std::memset(host(to), static_cast<int>(value), bytes);
  if (tracking_) mark_written(to, bytes);
}

void memory::mark_written(address at, std::uint64_t bytes) {
  allocation* const a = writable(at);
  if (a == nullptr || a->written.empty()) return;
  for (std::uint64_t i = at - a->begin; i < at - a->begin + bytes; ++i)
    a->written[i / 64] |= std::uint64_t{1} << i % 64;
}

bool memory::was_written(address at, std::uint64_t bytes) const {
  const allocation* const a = find(at);
  if (a == nullptr || a->written.empty()) return true;
  for (std::uint64_t i = at - a->begin; i < at - a->begin + bytes; ++i)
    if ((a->written[i / 64] >> i % 64 & 1) == 0) return false;
  return true;
}

std::string memory::explain(address at, std::uint64_t bytes) const {
  const auto after = std::upper_bound(all_.begin(), all_.end(), at,
                                      [](address x, const allocation& a) { return x < a.begin; });
  if (after == all_.begin())
    return at < 4096 ? fmt::format("address {:#x}: a null pointer", at)
                     : fmt::format("address {:#x} is no memory of the machine", at);
  const allocation& a = *(after - 1);
  const std::uint64_t offset = at - a.begin;
  if (offset < a.bytes && !a.live)
    return fmt::format("byte {} of '{}', which was freed", offset, a.name);
  if (offset < a.bytes)
    return fmt::format("bytes {} to {} of '{}', which has {}", offset, offset + bytes - 1, a.name,
                       a.bytes);
  if (after != all_.end() && after->begin - at <= gap && offset - a.bytes > after->begin - at)
    return fmt::format("{} bytes before '{}'", after->begin - at, after->name);
  if (offset - a.bytes > (std::uint64_t{1} << 32))
    return fmt::format("address {:#x} is no memory of the machine", at);
  return fmt::format("byte {} of '{}', which has {}", offset, a.name, a.bytes);
}

named_place memory::place(address at) const {
  const allocation* const a = find(at);
  return a == nullptr ? named_place{"?", at} : named_place{a->name, at - a->begin};
}

}  // namespace ptxlab::machine
