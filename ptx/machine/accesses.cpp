// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/accesses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"

namespace ptxlab::machine {
namespace {

using flow::space;

[[noreturn]] void misaligned(const step&, address at, unsigned lane, std::uint32_t align) {
  throw fault{fault::kind::misaligned,
              fmt::format("address {:#x} is not a multiple of {}", at, align), lane};
}

class resolver {
 public:
  resolver(const step& s, const context& c, resolved& r)
      : s_(s), c_(c), r_(r), f_(*r.form), bytes_(f_.bytes * f_.elements) {}

  void run() {
    switch (f_.space) {
      case space::shared:
        return each_active(c_, [&](unsigned i) { shared(i, r_.at[i]); });
      case space::local:
        return each_active(c_, [&](unsigned i) { local(i, r_.at[i]); });
      case space::generic:
        return generic();
      default:
        return global();
    }
  }

 private:
  /// Whether all active lanes access [begin, end), aligned: sums and disjunctions only, so that it
  /// becomes vector code.
  bool all_inside(address begin, address end) const {
    const address last = end - bytes_;
    if (end - begin < bytes_) return false;
    if (c_.mask == all_lanes) {
      address outside = 0, low_bits = 0;
      for (unsigned i = 0; i < warp_lanes; ++i) {
        outside |= (r_.at[i] - begin) | (last - r_.at[i]);
        low_bits |= r_.at[i];
      }
      return outside >> 63 == 0 && (low_bits & (f_.align - 1)) == 0;
    }
    bool inside = true;
    each_active(c_, [&](unsigned i) {
      inside = inside && r_.at[i] >= begin && r_.at[i] <= last && (r_.at[i] & (f_.align - 1)) == 0;
    });
    return inside;
  }
  void put_hosts(std::byte* host_of_zero) {
    for (unsigned i = 0; i < warp_lanes; ++i)
      r_.host[i] =
          reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(host_of_zero) + r_.at[i]);
  }

  /// All lanes in one allocation, as nearly always: one look-up.
  void global() {
    const memory& m = c_.in->in().in().device();
    const address first = r_.at[static_cast<unsigned>(__builtin_ctz(c_.mask))];
    const allocation* a = c_.in->recent;
    if (a == nullptr || first < a->begin || first >= a->end()) c_.in->recent = a = m.find(first);
    if (a == nullptr || !a->live || (a->constant && writes()) || m.tracks_writes() ||
        !all_inside(a->begin, a->end()))
      return each_active(c_, [&](unsigned i) { global(i); });
    put_hosts(m.host(a->begin) - a->begin);
  }

  void global(unsigned i) {
    memory& m = c_.in->in().in().device();
    const address at = r_.at[i];
    const allocation* const a = m.find(at);
    if (a == nullptr || bytes_ > a->end() - at)
      throw fault{fault::kind::outside, fmt::format("{} {}", verb(), m.explain(at, bytes_)), i};
    if (!a->live)
      throw fault{fault::kind::freed, fmt::format("{} {}", verb(), m.explain(at, bytes_)), i};
    if ((at & (f_.align - 1)) != 0) misaligned(s_, at, i, f_.align);
    if (a->constant && writes())
      throw fault{fault::kind::outside, fmt::format("writes '{}', which is constant", a->name), i};
    if (m.tracks_writes()) {
      if (reads() && !m.was_written(at, bytes_))
        throw fault{
            fault::kind::uninitialised,
            fmt::format("reads byte {} of '{}', which nobody wrote", at - a->begin, a->name), i};
      if (writes()) m.mark_written(at, bytes_);
    }
    r_.host[i] = m.host(at);
  }

  void shared() {
    block& b = c_.in->in();
    if (!b.in().how().check_uninitialised && all_inside(0, b.shared_bytes()))
      return put_hosts(b.shared());
    each_active(c_, [&](unsigned i) { shared(i, r_.at[i]); });
  }
  void shared(unsigned i, address at) {
    block& b = c_.in->in();
    if (at + bytes_ > b.shared_bytes() || at + bytes_ < at) return shared_of_cluster(i, at);
    if ((at & (f_.align - 1)) != 0) misaligned(s_, at, i, f_.align);
    if (b.in().how().check_uninitialised) {
      const auto offset = static_cast<std::uint32_t>(at);
      if (reads() && !b.shared_was_written(offset, bytes_))
        throw fault{fault::kind::uninitialised,
                    fmt::format("reads byte {} of shared memory, which nobody wrote", at), i};
      if (writes()) b.mark_shared(offset, bytes_);
    }
    r_.host[i] = b.shared() + at;
  }

  /// Not in the own block's shared memory, by an offset there: an address that mapa or cvta made
  /// names the block by its rank. Out of line, so that what is usual stays short.
  [[gnu::noinline]] void shared_of_cluster(unsigned i, address at) {
    block& own = c_.in->in();
    const std::int32_t rank = at < window_bytes ? rank_at(at) : -1;
    if (rank < 0) return shared_of(own, i, at, "the block's shared memory");
    const address offset = at % cluster_stride;
    const std::string whose = fmt::format("shared memory of block {} of the cluster", rank);
    if (static_cast<std::uint32_t>(rank) == own.rank()) return shared_of(own, i, offset, whose);
    const auto refuse = [&](fault::kind kind, const std::string& why) {
      throw fault{kind, fmt::format("{} byte {} of the {}, {}", verb(), offset, whose, why), i};
    };
    if (static_cast<std::uint32_t>(rank) >= own.together().blocks())
      refuse(fault::kind::outside, fmt::format("which has {}", own.together().blocks()));
    if (f_.space == space::shared && !f_.of_cluster)
      refuse(fault::kind::outside,
             fmt::format("by an instruction for the own block's, block {}", own.rank()));
    block* const other = own.together().member(static_cast<std::uint32_t>(rank));
    if (other == nullptr || other->finished())
      refuse(fault::kind::freed, fmt::format("and block {} of the cluster has ended", rank));
    shared_of(*other, i, offset, whose);
  }
  void shared_of(block& b, unsigned i, address offset, const std::string& whose) {
    if (offset + bytes_ > b.shared_bytes() || offset + bytes_ < offset)
      throw fault{
          fault::kind::outside,
          fmt::format("{} byte {} of {}, which has {}", verb(), offset, whose, b.shared_bytes()),
          i};
    if ((offset & (f_.align - 1)) != 0) misaligned(s_, offset, i, f_.align);
    if (b.in().how().check_uninitialised) {
      const auto from = static_cast<std::uint32_t>(offset);
      if (reads() && !b.shared_was_written(from, bytes_))
        throw fault{fault::kind::uninitialised,
                    fmt::format("reads byte {} of {}, which nobody wrote", offset, whose), i};
      if (writes()) b.mark_shared(from, bytes_);
    }
    r_.host[i] = b.shared() + offset;
  }

  void local(unsigned i, address at) {
    if (at + bytes_ > c_.in->local_bytes() || at + bytes_ < at)
      throw fault{fault::kind::outside,
                  fmt::format("{} byte {} of the thread's local memory, which has {}", verb(), at,
                              c_.in->local_bytes()),
                  i};
    if ((at & (f_.align - 1)) != 0) misaligned(s_, at, i, f_.align);
    r_.host[i] = c_.in->local_memory(i) + at;
  }

  void generic() {
    bool all_global = true;
    each_active(c_, [&](unsigned i) {
      all_global = all_global && window_of(r_.at[i]).in == space::global;
    });
    if (all_global) return global();
    each_active(c_, [&](unsigned i) {
      const window_access w = window_of(r_.at[i]);
      if (w.in == space::shared) return shared(i, w.offset);
      if (w.in == space::local) return local(i, w.offset);
      global(i);
    });
  }

  bool writes() const { return f_.what != flow::kind::load; }
  bool reads() const { return f_.what != flow::kind::store; }
  std::string_view verb() const { return f_.what == flow::kind::load ? "reads" : "writes"; }

  const step& s_;
  const context& c_;
  resolved& r_;
  const access_form& f_;
  const std::uint32_t bytes_;
};

}  // namespace

void find_addresses(const step& s, const context& c, resolved& r) {
  r.form = &c.in->code().forms[s.aux];
  const auto offset = static_cast<address>(s.imm);
  switch (r.form->from) {
    case access_form::base::none:
      for (address& a : r.at) a = offset;
      return;
    case access_form::base::local:
      for (address& a : r.at) a = c.in->local_offset() + offset;
      return;
    case access_form::base::in_register:
      break;
  }
  if (r.form->address_bytes == 8) {
    const auto* const a = c.at<std::uint64_t>(s.a);
    for (unsigned i = 0; i < warp_lanes; ++i) r.at[i] = a[i] + offset;
  } else {
    const auto* const a = c.at<std::uint32_t>(s.a);
    for (unsigned i = 0; i < warp_lanes; ++i)
      r.at[i] = static_cast<std::uint32_t>(a[i] + static_cast<std::uint32_t>(offset));
  }
}

void find_bytes(const step& s, const context& c, resolved& r) {
  resolver(s, c, r).run();
}

void resolve(const step& s, const context& c, resolved& r) {
  find_addresses(s, c, r);
  find_bytes(s, c, r);
}

access_form form_of(const choice& c, flow::kind what) {
  access_form f;
  f.what = what;
  const std::string_view in = c.get("space");
  f.of_cluster = in == "shared::cluster";
  f.space = in.starts_with("shared")  ? space::shared
            : in == "local"           ? space::local
            : in == "const"           ? space::constant
            : in.starts_with("param") ? space::param
            : in == "global"          ? space::global
                                      : space::generic;
  using flow::order;
  const std::string_view sem = c.get("sem");
  const bool atomic = what == flow::kind::atomic || what == flow::kind::reduction;
  f.ordering = sem == "volatile"  ? order::volatile_
               : sem == "relaxed" ? order::relaxed
               : sem == "acquire" ? order::acquire
               : sem == "release" ? order::release
               : sem == "acq_rel" ? order::acq_rel
               : sem == "sc"      ? order::sc
               : c.has("nc")      ? order::nc
               : atomic           ? order::relaxed
                                  : order::weak;
  using flow::scope;
  const std::string_view reach = c.get("scope");
  f.reach = reach == "cta"                   ? scope::cta
            : reach == "cluster"             ? scope::cluster
            : reach == "gpu"                 ? scope::gpu
            : reach == "sys"                 ? scope::sys
            : atomic                         ? scope::gpu
            : f.ordering == order::volatile_ ? scope::sys
                                             : scope::none;
  return f;
}

step& add_access(instruction_builder& b, run_function run, access_form f, std::size_t i) {
  const address_operand a = b.address(i);
  switch (a.from) {
    case address_operand::base::in_register:
      f.from = access_form::base::in_register;
      f.address_bytes = a.bytes;
      break;
    case address_operand::base::local:
      f.from = access_form::base::local;
      break;
    case address_operand::base::parameter:
      b.fail("a parameter of a function as memory");
    case address_operand::base::kernel_parameter:
    case address_operand::base::shared:
    case address_operand::base::none:
      f.from = access_form::base::none;
      break;
  }
  auto& whole = b.whole().out;
  const bool outside = f.space != flow::space::shared && f.space != flow::space::local &&
                       f.space != flow::space::param;
  if (outside && f.ordering != flow::order::weak && f.ordering != flow::order::nc)
    whole.communicates = true;
  whole.forms.push_back(f);
  step& s = b.add(run);
  s.a = a.at;
  s.imm = a.offset;
  if (a.from == address_operand::base::kernel_parameter)
    s.imm += static_cast<std::int64_t>(parameter_base);
  s.aux = static_cast<std::uint32_t>(whole.forms.size() - 1);
  s.publishes =
      (outside || f.of_cluster) && f.what != flow::kind::load && f.ordering != flow::order::weak;
  return s;
}

}  // namespace ptxlab::machine
