// SPDX-License-Identifier: Apache-2.0
// Which device code of a container is looked at: the cubins of the architecture asked for, or all;
// only where there is none, its PTX.
#include <fmt/format.h>

#include <map>

#include "analysis/toolchain/builder.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::toolchain {
namespace {

using by_architecture = std::map<std::string, std::vector<embedded*>>;

std::string listed(const by_architecture& cubins, const by_architecture& texts) {
  std::string list;
  for (const auto& [arch, pieces] : cubins) list += " " + arch;
  for (const auto& [arch, pieces] : texts) list += fmt::format(" {} (PTX)", arch);
  return list;
}

}  // namespace

void builder::begin_container(order& whole) {
  const request& asked = *whole.asked;
  const temporary_folder folder;
  auto pieces = extract(shop_.tools.cuobjdump, asked.file, folder.path());
  by_architecture cubins, texts;
  for (embedded& piece : pieces) {
    if (!piece.is_ptx && !holds_code(piece.content)) continue;
    (piece.is_ptx ? texts : cubins)[piece.arch].push_back(&piece);
  }
  for (const auto& [arch, list] : cubins) {
    if (!asked.arch.empty() && arch != asked.arch) continue;
    // Both lists are in the order of the sources, so equal lengths mean pairs.
    const auto with_ptx = texts.find(arch);
    const bool paired = with_ptx != texts.end() && with_ptx->second.size() == list.size();
    for (std::size_t i = 0; i < list.size(); ++i) {
      add_embedded_cubin(whole, *list[i], paired ? with_ptx->second[i] : nullptr);
    }
  }
  const bool only_ptx = whole.items.empty();
  for (const auto& [arch, list] : texts) {
    const bool fits =
        asked.arch.empty() || architecture_number(arch) <= architecture_number(asked.arch);
    if (!only_ptx || !fits) continue;
    for (embedded* piece : list) add_embedded_ptx(whole, *piece);
  }
  if (!whole.items.empty()) return;
  const std::string held = listed(cubins, texts);
  throw error(held.empty() ? fmt::format("{}: no device code in it", asked.file.string())
                           : fmt::format("{}: no code for {} in it; it holds{}",
                                         asked.file.string(), asked.arch, held));
}

void builder::add_embedded_cubin(order& whole, embedded& cubin, const embedded* ptx) {
  item& one = new_item(whole);
  one.made.kind = input_kind::container;
  one.made.member = cubin.name;
  one.made.arch = cubin.arch;
  one.made.cubin.text = std::move(cubin.content);
  if (ptx != nullptr) {
    one.made.ptx.text = ptx->content;
  } else {
    one.made.ptx.problem = fmt::format("the file holds no PTX that belongs to {}", cubin.name);
  }
  one.made.unoptimised_ptx.problem = "the input is compiled: its source is not known";
  one.made.ptxas_log.problem = "the input holds machine code: ptxas did not run";
  inspect(whole, one);
}

void builder::add_embedded_ptx(order& whole, embedded& ptx) {
  item& one = new_item(whole);
  one.made.kind = input_kind::container;
  one.made.member = ptx.name;
  one.made.arch = whole.asked->arch.empty() ? ptx.arch : whole.asked->arch;
  one.made.ptx.text = std::move(ptx.content);
  one.made.unoptimised_ptx.problem = "the input is compiled: its source is not known";
  one.made.notes.push_back(
      fmt::format("{} is PTX without machine code for {}: assembled here with ptxas {}; a driver "
                  "may make other "
                  "code",
                  ptx.name, one.made.arch, shop_.tools.ptxas.version));
  add(whole, [this, &whole, &one] { assemble_ptx(whole, one, {}); });
}

}  // namespace ptxlab::toolchain
