// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/opcode.hpp"

#include <algorithm>
#include <array>

namespace ptxlab::ptx {
namespace {

using flow::form;
using flow::kind;
using flow::order;
using flow::relation;
using flow::scope;
using flow::space;
using flow::transfer;

/// One row per base opcode that PTX ISA 9.0 documents. `what` is refined by modifiers below.
struct row {
  std::string_view base;
  kind what = kind::plain;
  result writes = result::first;
  transfer then = transfer::next;
  form shape = form::other;
};

constexpr std::array rows = {
    row{"abs"},
    row{"activemask", kind::exchange},
    row{"add", kind::plain, result::first, transfer::next, form::add},
    row{"addc"},
    row{"alloca"},
    row{"and"},
    row{"applypriority", kind::plain, result::none},
    row{"atom", kind::atomic},
    row{"bar", kind::barrier, result::none},
    row{"barrier", kind::barrier, result::none},
    row{"bfe"},
    row{"bfi"},
    row{"bfind"},
    row{"bmsk"},
    row{"bra", kind::plain, result::none, transfer::jump},
    row{"brev"},
    row{"brkpt", kind::plain, result::none},
    row{"brx", kind::plain, result::none, transfer::indirect},
    row{"call", kind::call, result::call},
    row{"clusterlaunchcontrol"},
    row{"clz"},
    row{"cnot"},
    row{"copysign"},
    row{"cos"},
    row{"cp", kind::plain, result::none},
    row{"createpolicy"},
    row{"cvt"},
    row{"cvta", kind::plain, result::first, transfer::next, form::move},
    row{"discard", kind::plain, result::none},
    row{"div"},
    row{"dp2a"},
    row{"dp4a"},
    row{"elect", kind::exchange},
    row{"ex2"},
    row{"exit", kind::plain, result::none, transfer::leave},
    row{"fence", kind::fence, result::none},
    row{"fma"},
    row{"fns"},
    row{"getctarank"},
    row{"griddepcontrol", kind::plain, result::none},
    row{"isspacep"},
    row{"istypep"},
    row{"ld", kind::load},
    row{"ldmatrix", kind::load},
    row{"ldu", kind::load},
    row{"lg2"},
    row{"lop3"},
    row{"mad"},
    row{"mad24"},
    row{"madc"},
    row{"mapa"},
    row{"match", kind::exchange},
    row{"max"},
    row{"mbarrier"},
    row{"membar", kind::fence, result::none},
    row{"min"},
    row{"mma"},
    row{"mov", kind::plain, result::first, transfer::next, form::move},
    row{"movmatrix"},
    row{"mul"},
    row{"mul24"},
    row{"multimem"},
    row{"nanosleep", kind::sleep, result::none},
    row{"neg"},
    row{"not"},
    row{"or"},
    row{"pmevent", kind::plain, result::none},
    row{"popc"},
    row{"prefetch", kind::plain, result::none},
    row{"prefetchu", kind::plain, result::none},
    row{"prmt"},
    row{"rcp"},
    row{"red", kind::reduction, result::none},
    row{"redux", kind::exchange},
    row{"rem"},
    row{"ret", kind::plain, result::none, transfer::leave},
    row{"rsqrt"},
    row{"sad"},
    row{"selp", kind::plain, result::first, transfer::next, form::select},
    row{"set", kind::plain},
    row{"setmaxnreg", kind::plain, result::none},
    row{"setp", kind::plain, result::first, transfer::next, form::compare},
    row{"shf"},
    row{"shfl", kind::exchange},
    row{"shl"},
    row{"shr"},
    row{"sin"},
    row{"slct"},
    row{"sqrt"},
    row{"st", kind::store, result::none},
    row{"stackrestore", kind::plain, result::none},
    row{"stacksave"},
    row{"stmatrix", kind::store, result::none},
    row{"sub"},
    row{"subc"},
    row{"suld", kind::load},
    row{"suq"},
    row{"sured", kind::reduction, result::none},
    row{"sust", kind::store, result::none},
    row{"szext"},
    row{"tanh"},
    row{"tcgen05"},
    row{"tensormap", kind::store, result::none},
    row{"testp"},
    row{"tex", kind::load},
    row{"tld4", kind::load},
    row{"trap", kind::plain, result::none, transfer::leave},
    row{"txq"},
    row{"vabsdiff"},
    row{"vabsdiff2"},
    row{"vabsdiff4"},
    row{"vadd"},
    row{"vadd2"},
    row{"vadd4"},
    row{"vavrg2"},
    row{"vavrg4"},
    row{"vmad"},
    row{"vmax"},
    row{"vmax2"},
    row{"vmax4"},
    row{"vmin"},
    row{"vmin2"},
    row{"vmin4"},
    row{"vote", kind::exchange},
    row{"vset"},
    row{"vset2"},
    row{"vset4"},
    row{"vshl"},
    row{"vshr"},
    row{"vsub"},
    row{"vsub2"},
    row{"vsub4"},
    row{"wgmma", kind::plain, result::none},
    row{"wmma"},
    row{"xor"},
};

static_assert(std::is_sorted(rows.begin(), rows.end(),
                             [](const row& a, const row& b) { return a.base < b.base; }));

std::uint16_t type_bits(std::string_view m) {
  if (m.size() < 2 || std::string_view("bsuf").find(m[0]) == std::string_view::npos) return 0;
  unsigned bits = 0;
  for (const char c : m.substr(1)) {
    if (c == 'x') return static_cast<std::uint16_t>(2 * bits);  // f16x2, bf16x2, s16x2
    if (c < '0' || c > '9') return 0;
    bits = bits * 10 + static_cast<unsigned>(c - '0');
    if (bits > 128) return 0;
  }
  return static_cast<std::uint16_t>(bits);
}

relation comparison(std::string_view m) {
  constexpr std::array<std::pair<std::string_view, relation>, 10> table = {{{"eq", relation::eq},
                                                                            {"ne", relation::ne},
                                                                            {"lt", relation::lt},
                                                                            {"le", relation::le},
                                                                            {"gt", relation::gt},
                                                                            {"ge", relation::ge},
                                                                            {"lo", relation::lt},
                                                                            {"ls", relation::le},
                                                                            {"hi", relation::gt},
                                                                            {"hs", relation::ge}}};
  for (const auto& [word, rel] : table)
    if (m == word) return rel;
  return relation::none;
}

/// State space, scope, ordering and width from the modifiers of a memory operation or fence.
void read_memory_modifiers(opcode& o) {
  unsigned bits = 0, vector = 1;
  for (const std::string_view m : o.modifiers) {
    if (m == "global")
      o.memory = space::global;
    else if (m == "shared" || m.substr(0, 8) == "shared::")
      o.memory = space::shared;
    else if (m == "local")
      o.memory = space::local;
    else if (m == "const")
      o.memory = space::constant;
    else if (m == "param" || m.substr(0, 7) == "param::")
      o.memory = space::param;
    else if (m == "cta")
      o.reach = scope::cta;
    else if (m == "cluster")
      o.reach = scope::cluster;
    else if (m == "gpu" || m == "gl")
      o.reach = scope::gpu;
    else if (m == "sys")
      o.reach = scope::sys;
    else if (m == "volatile")
      o.ordering = order::volatile_;
    else if (m == "nc")
      o.ordering = order::nc;
    else if (m == "relaxed" || m == "mmio")
      o.ordering = order::relaxed;
    else if (m == "acquire")
      o.ordering = order::acquire;
    else if (m == "release")
      o.ordering = order::release;
    else if (m == "acq_rel")
      o.ordering = order::acq_rel;
    else if (m == "sc")
      o.ordering = order::sc;
    else if (m == "v2")
      vector = 2;
    else if (m == "v4")
      vector = 4;
    else if (m == "v8")
      vector = 8;
    else if (const unsigned b = type_bits(m); b != 0)
      bits = b;
  }
  o.width_bits = static_cast<std::uint16_t>(bits * vector);
  const bool texture = o.base == "tex" || o.base == "tld4" || o.base == "suld" ||
                       o.base == "sust" || o.base == "sured";
  if (texture) o.memory = space::texture;
  const bool touches = o.what == kind::load || o.what == kind::store || o.what == kind::atomic ||
                       o.what == kind::reduction;
  if (touches && o.memory == space::none) o.memory = space::generic;
}

void refine(opcode& o) {
  if (o.base == "bar" || o.base == "barrier") {
    if (o.has("warp")) o.what = kind::warp_sync;
    if (o.has("red")) o.writes = result::first;
  } else if (o.base == "add") {
    // Only plain integer addition steps a counter.
    const std::string_view type = o.modifiers.empty() ? "" : o.modifiers.back();
    const bool integer = type.size() > 1 && (type[0] == 's' || type[0] == 'u');
    if (!integer || o.has("cc") || o.has("sat")) o.shape = form::other;
  } else if (o.base == "sub") {
    o.shape = form::other;
  } else if (o.base == "setp") {
    for (const std::string_view m : o.modifiers)
      if (o.rel == relation::none) o.rel = comparison(m);
    const std::string_view type = o.modifiers.empty() ? "" : o.modifiers.back();
    o.unsigned_compare = !type.empty() && (type[0] == 'u' || type[0] == 'b');
    const bool combined = o.has("and") || o.has("or") || o.has("xor");
    if (o.rel == relation::none || combined || (!type.empty() && type[0] == 'f'))
      o.shape = form::other;
  } else if (o.base == "not" && o.has("pred")) {
    o.shape = form::negate_predicate;
  } else if ((o.base == "and" || o.base == "or") && o.has("pred")) {
    o.shape = form::select;
  } else if (o.base == "mbarrier") {
    const bool yields = o.has("arrive") || o.has("arrive_drop") || o.has("test_wait") ||
                        o.has("try_wait") || o.has("pending_count");
    if (!yields) o.writes = result::none;
    // A wait reads the barrier object in shared memory: it is what a loop around it polls.
    if (o.has("test_wait") || o.has("try_wait")) o.what = kind::load;
    // Where nothing is said, a wait is .acquire.cta.
    if (o.what == kind::load) o.ordering = order::acquire, o.reach = scope::cta;
  } else if (o.base == "wmma") {
    if (o.has("load")) o.what = kind::load;
    if (o.has("store")) {
      o.what = kind::store;
      o.writes = result::none;
    }
  } else if (o.base == "multimem") {
    if (o.has("ld_reduce")) o.what = kind::load;
    if (o.has("st") || o.has("red")) {
      o.what = o.has("st") ? kind::store : kind::reduction;
      o.writes = result::none;
    }
  } else if (o.base == "tcgen05") {
    if (!o.has("ld") && !o.has("shift")) o.writes = result::none;
  } else if (o.base == "clusterlaunchcontrol") {
    if (o.has("try_cancel")) o.writes = result::none;
  } else if (o.base == "griddepcontrol" && o.has("wait")) {
    o.what = kind::barrier;
  }
}

}  // namespace

bool opcode::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

opcode decode_opcode(std::string_view text) {
  opcode o;
  o.text = text;
  const auto dot = text.find('.');
  o.base = text.substr(0, dot);
  for (auto from = dot; from != std::string_view::npos;) {
    const auto next = text.find('.', from + 1);
    const auto length = next == std::string_view::npos ? next : next - from - 1;
    o.modifiers.push_back(text.substr(from + 1, length));
    from = next;
  }
  const auto it = std::lower_bound(rows.begin(), rows.end(), o.base,
                                   [](const row& r, std::string_view b) { return r.base < b; });
  if (it == rows.end() || it->base != o.base) {
    o.known = false;
    return o;
  }
  o.writes = it->writes;
  o.what = it->what;
  o.then = it->then;
  o.shape = it->shape;
  refine(o);
  const bool memory_like = o.what == kind::load || o.what == kind::store ||
                           o.what == kind::atomic || o.what == kind::reduction ||
                           o.what == kind::fence;
  if (memory_like) read_memory_modifiers(o);
  if (o.base == "mbarrier" || o.base == "ldmatrix" || o.base == "stmatrix")
    o.memory = space::shared;
  if (o.base == "ldmatrix" || o.base == "stmatrix")  // one register of each lane per matrix
    o.width_bits = (o.has("x4") ? 128 : o.has("x2") ? 64 : 32) * (o.has("m16n16") ? 2 : 1);
  return o;
}

}  // namespace ptxlab::ptx
