// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/specials.hpp"

#include <array>
#include <cstring>

#include "ptx/machine/context.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/warp.hpp"

namespace ptxlab::machine {
namespace {

template <class F>
void each_lane(std::byte* to, F value) {
  for (unsigned i = 0; i < warp_lanes; ++i) {
    const std::uint32_t v = value(i);
    std::memcpy(to + std::size_t{i} * 4, &v, 4);
  }
}

template <unsigned D>
void tid(const warp& w, std::byte* to) {
  const launch& l = w.in().in().how();
  each_lane(to, [&](unsigned i) {
    const std::uint32_t t = w.number() * warp_lanes + i;
    if (D == 0) return t % l.block[0];
    if (D == 1) return t / l.block[0] % l.block[1];
    return t / l.block[0] / l.block[1];
  });
}
template <unsigned D>
void ntid(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return w.in().in().how().block[D]; });
}
template <unsigned D>
void ctaid(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return w.in().position(D); });
}
template <unsigned D>
void nctaid(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return w.in().in().how().grid[D]; });
}
template <unsigned D>
void clusterid(const warp& w, std::byte* to) {
  const cluster_shape& c = w.in().in().clusters();
  each_lane(to, [&](unsigned) { return w.in().position(D) / c.extent[D]; });
}
template <unsigned D>
void nclusterid(const warp& w, std::byte* to) {
  const grid& g = w.in().in();
  each_lane(to, [&](unsigned) { return g.how().grid[D] / g.clusters().extent[D]; });
}
template <unsigned D>
void cluster_ctaid(const warp& w, std::byte* to) {
  const cluster_shape& c = w.in().in().clusters();
  each_lane(to, [&](unsigned) { return w.in().position(D) % c.extent[D]; });
}
template <unsigned D>
void cluster_nctaid(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return w.in().in().clusters().extent[D]; });
}
void cluster_ctarank(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return w.in().rank(); });
}
void cluster_nctarank(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return w.in().in().clusters().blocks(); });
}
/// A predicate: one lane_mask.
void is_explicit_cluster(const warp& w, std::byte* to) {
  const lane_mask all = w.in().in().clusters().is_explicit ? all_lanes : 0;
  std::memcpy(to, &all, sizeof all);
}
void gridid(const warp&, std::byte* to) {
  std::memset(to, 0, std::size_t{8} * warp_lanes);
}
/// Blocks go to the multiprocessors in turn.
void smid(const warp& w, std::byte* to) {
  const residency& r = w.in().in().how().resident;
  each_lane(to, [&](unsigned) { return w.in().index() % std::max(1U, r.multiprocessors); });
}
void nsmid(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return w.in().in().how().resident.multiprocessors; });
}
void laneid(const warp&, std::byte* to) {
  each_lane(to, [](unsigned i) { return i; });
}
void warpid(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return w.number(); });
}
void nwarpid(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return static_cast<std::uint32_t>(w.in().warps().size()); });
}
void dynamic_smem(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return w.in().in().how().dynamic_shared; });
}
void total_smem(const warp& w, std::byte* to) {
  each_lane(to, [&](unsigned) { return w.in().shared_bytes(); });
}
/// %envreg1 and 2: upper and lower half of the address of the grid barrier's word.
template <unsigned Half>
void workspace(const warp& w, std::byte* to) {
  const address at = w.in().in().workspace();
  each_lane(to, [&](unsigned) { return static_cast<std::uint32_t>(Half == 1 ? at >> 32 : at); });
}

template <class T, unsigned Shift>
void read_clock(const step& s, context& c) {
  const std::uint64_t now = c.in->in().in().clock() + c.in->steps_now();
  c.in->touch();  // who reads a clock does not repeat itself, whatever its registers say
  T* const d = c.at<T>(s.d);
  for (unsigned i = 0; i < warp_lanes; ++i)
    if ((c.mask >> i & 1) != 0) d[i] = static_cast<T>(now >> Shift);
}

constexpr std::string_view virtual_clock = "counts the warp instructions of the launch: no time";

constexpr std::array table = {
    special_register{"%tid.x", 4, tid<0>},
    special_register{"%tid.y", 4, tid<1>},
    special_register{"%tid.z", 4, tid<2>},
    special_register{"%ntid.x", 4, ntid<0>},
    special_register{"%ntid.y", 4, ntid<1>},
    special_register{"%ntid.z", 4, ntid<2>},
    special_register{"%ctaid.x", 4, ctaid<0>},
    special_register{"%ctaid.y", 4, ctaid<1>},
    special_register{"%ctaid.z", 4, ctaid<2>},
    special_register{"%nctaid.x", 4, nctaid<0>},
    special_register{"%nctaid.y", 4, nctaid<1>},
    special_register{"%nctaid.z", 4, nctaid<2>},
    special_register{"%laneid", 4, laneid},
    special_register{"%warpid", 4, warpid},
    special_register{"%nwarpid", 4, nwarpid},
    special_register{"%smid", 4, smid, nullptr, "the block's number modulo the model's SMs"},
    special_register{"%nsmid", 4, nsmid, nullptr, "the model's"},
    special_register{"%gridid", 8, gridid, nullptr, "0"},
    special_register{
        "%lanemask_eq", 4,
        [](const warp&, std::byte* to) { each_lane(to, [](unsigned i) { return 1U << i; }); }},
    special_register{"%lanemask_lt", 4,
                     [](const warp&, std::byte* to) {
                       each_lane(to, [](unsigned i) { return (1U << i) - 1; });
                     }},
    special_register{"%lanemask_le", 4,
                     [](const warp&, std::byte* to) {
                       each_lane(to, [](unsigned i) { return (2U << i) - 1; });
                     }},
    special_register{"%lanemask_gt", 4,
                     [](const warp&, std::byte* to) {
                       each_lane(to, [](unsigned i) { return ~((2U << i) - 1); });
                     }},
    special_register{"%lanemask_ge", 4,
                     [](const warp&, std::byte* to) {
                       each_lane(to, [](unsigned i) { return ~((1U << i) - 1); });
                     }},
    special_register{"%dynamic_smem_size", 4, dynamic_smem},
    special_register{"%total_smem_size", 4, total_smem},
    special_register{"%envreg1", 4, workspace<1>, nullptr, "a cooperative launch's workspace"},
    special_register{"%envreg2", 4, workspace<2>, nullptr, "a cooperative launch's workspace"},
    special_register{"%clusterid.x", 4, clusterid<0>},
    special_register{"%clusterid.y", 4, clusterid<1>},
    special_register{"%clusterid.z", 4, clusterid<2>},
    special_register{"%nclusterid.x", 4, nclusterid<0>},
    special_register{"%nclusterid.y", 4, nclusterid<1>},
    special_register{"%nclusterid.z", 4, nclusterid<2>},
    special_register{"%cluster_ctaid.x", 4, cluster_ctaid<0>},
    special_register{"%cluster_ctaid.y", 4, cluster_ctaid<1>},
    special_register{"%cluster_ctaid.z", 4, cluster_ctaid<2>},
    special_register{"%cluster_nctaid.x", 4, cluster_nctaid<0>},
    special_register{"%cluster_nctaid.y", 4, cluster_nctaid<1>},
    special_register{"%cluster_nctaid.z", 4, cluster_nctaid<2>},
    special_register{"%cluster_ctarank", 4, cluster_ctarank},
    special_register{"%cluster_nctarank", 4, cluster_nctarank},
    special_register{"%is_explicit_cluster", 4, is_explicit_cluster, nullptr,
                     "as the source of a mov.pred"},
    special_register{"%clock", 4, nullptr, read_clock<std::uint32_t, 0>, virtual_clock},
    special_register{"%clock_hi", 4, nullptr, read_clock<std::uint32_t, 32>, virtual_clock},
    special_register{"%clock64", 8, nullptr, read_clock<std::uint64_t, 0>, virtual_clock},
    special_register{"%globaltimer", 8, nullptr, read_clock<std::uint64_t, 0>, virtual_clock},
    special_register{"%globaltimer_lo", 4, nullptr, read_clock<std::uint32_t, 0>, virtual_clock},
    special_register{"%globaltimer_hi", 4, nullptr, read_clock<std::uint32_t, 32>, virtual_clock},
};

}  // namespace

const special_register* special_named(std::string_view name) {
  for (const special_register& r : table)
    if (r.name == name) return &r;
  return nullptr;
}

std::span<const special_register> special_registers() {
  return table;
}

}  // namespace ptxlab::machine
