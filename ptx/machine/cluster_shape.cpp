// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/cluster_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace ptxlab::machine {
namespace {

std::string text(const std::uint32_t (&extent)[3]) {
  return fmt::format("{} x {} x {}", extent[0], extent[1], extent[2]);
}

/// The numbers behind a directive, as far as there are any; returns how many.
unsigned numbers_behind(std::string_view header, std::string_view directive,
                        std::uint32_t (&out)[3]) {
  const std::size_t at = header.find(directive);
  if (at == header.npos) return 0;
  std::string_view rest = header.substr(at + directive.size());
  rest = rest.substr(0, rest.find('.'));
  unsigned n = 0;
  while (n < 3) {
    const std::size_t digit = rest.find_first_of("0123456789");
    if (digit == rest.npos) break;
    rest.remove_prefix(digit);
    const auto [end, ec] = std::from_chars(rest.data(), rest.data() + rest.size(), out[n]);
    if (ec != std::errc()) out[n] = ~std::uint32_t{0};
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    ++n;
  }
  return n;
}

bool given(const std::uint32_t (&extent)[3]) {
  return extent[0] != 0 || extent[1] != 0 || extent[2] != 0;
}

}  // namespace

cluster_directives read_cluster_directives(std::string_view header) {
  cluster_directives out;
  if (const unsigned n = numbers_behind(header, ".reqnctapercluster", out.extent); n != 0)
    std::fill(out.extent + n, out.extent + 3, 1);
  out.explicit_only = header.find(".explicitcluster") != header.npos;
  std::uint32_t most[3] = {};
  if (numbers_behind(header, ".maxclusterrank", most) != 0) out.most_blocks = most[0];
  return out;
}

cluster_shape cluster_of(const program& p, const launch& l) {
  cluster_shape out;
  const auto& from = given(p.clusters.extent) ? p.clusters.extent : l.cluster;
  out.is_explicit = given(from);
  if (out.is_explicit) std::copy_n(from, 3, out.extent);
  return out;
}

std::string cluster_refusal(const program& p, const launch& l) {
  const cluster_directives& said = p.clusters;
  if (given(said.extent) && given(l.cluster) && !std::equal(l.cluster, l.cluster + 3, said.extent))
    return fmt::format("clusters of {} blocks, the kernel was compiled for {}", text(l.cluster),
                       text(said.extent));
  const cluster_shape c = cluster_of(p, l);
  if (said.explicit_only && !c.is_explicit)
    return fmt::format("{} has to be launched with a size of its clusters (.explicitcluster)",
                       p.name);
  std::uint64_t blocks = 1;
  for (const std::uint32_t n : c.extent) blocks = std::min<std::uint64_t>(blocks * n, 1U << 31);
  if (blocks == 0) return fmt::format("clusters of {} blocks: at least 1 each way", text(c.extent));
  if (blocks > most_cluster_blocks)
    return fmt::format("clusters of {} blocks: {} at most run on every GPU with clusters",
                       text(c.extent), most_cluster_blocks);
  if (said.most_blocks != 0 && blocks > said.most_blocks)
    return fmt::format(
        "clusters of {} blocks, the kernel was compiled for {} at most (.maxclusterrank)", blocks,
        said.most_blocks);
  for (unsigned d = 0; d < 3; ++d)
    if (l.grid[d] % c.extent[d] != 0)
      return fmt::format("a grid of {} blocks is no multiple of its clusters of {}", text(l.grid),
                         text(c.extent));
  if (l.resident.blocks != 0 && blocks > l.resident.blocks)
    return fmt::format("clusters of {} blocks, of which {} can be resident ({})", blocks,
                       l.resident.blocks, l.resident.model);
  const auto all = std::uint64_t{l.grid[0]} * l.grid[1] * l.grid[2];
  const std::uint64_t fit = l.resident.blocks / blocks * blocks;
  if (l.cooperative && l.resident.blocks != 0 && all > fit)
    return fmt::format("a cooperative launch of {} blocks, of which {} can be resident ({}{})", all,
                       fit, l.resident.model,
                       blocks == 1 ? "" : fmt::format(", in clusters of {}", blocks));
  return {};
}

}  // namespace ptxlab::machine
