// SPDX-License-Identifier: Apache-2.0
// What an opcode's spelling means. The expected values are read off PTX ISA 9.0, "Instruction Set"
// and "Memory Consistency Model", not off the decoder.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "ptx/text/opcode.hpp"

namespace ptxlab::ptx {
namespace {

using flow::form;
using flow::kind;
using flow::relation;
using flow::transfer;

std::string kind_name(kind k) {
  static const std::map<kind, std::string> names = {
      {kind::plain, "plain"},    {kind::load, "load"},
      {kind::store, "store"},    {kind::atomic, "atomic"},
      {kind::reduction, "red"},  {kind::barrier, "barrier"},
      {kind::warp_sync, "warp"}, {kind::exchange, "exchange"},
      {kind::fence, "fence"},    {kind::cache_invalidate, "invalidate"},
      {kind::call, "call"},      {kind::clock, "clock"},
      {kind::sleep, "sleep"}};
  return names.at(k);
}

// "load global relaxed.gpu 32": kind, and for what touches memory or orders it space, order, width.
std::string meaning(std::string_view spelling) {
  const opcode o = decode_opcode(spelling);
  if (!o.known) return "unknown";
  std::string out = kind_name(o.what);
  if (o.what != kind::load && o.what != kind::store && o.what != kind::atomic &&
      o.what != kind::reduction && o.what != kind::fence)
    return out;
  flow::op as_load;
  as_load.what = kind::load;
  as_load.ordering = o.ordering;
  as_load.reach = o.reach;
  out += std::string(" ") + flow::name(o.memory) + " " + flow::strength(as_load);
  if (o.what == kind::fence) return out;
  return out + " " + std::to_string(o.width_bits);
}

struct row {
  std::string_view spelling, meaning;
};

TEST(ptx_opcode, memory_operations) {
  constexpr row rows[] = {
      {"ld.global.u32", "load global weak 32"},
      {"ld.global.b8", "load global weak 8"},
      {"ld.u64", "load generic weak 64"},
      {"ld.weak.global.f64", "load global weak 64"},
      {"ld.global.nc.u32", "load global nc 32"},
      {"ld.global.L1::no_allocate.L2::256B.nc.v4.f32", "load global nc 128"},
      {"ld.volatile.global.u32", "load global volatile 32"},
      {"ld.volatile.shared.v2.u32", "load shared volatile 64"},
      {"ld.relaxed.gpu.global.u32", "load global relaxed.gpu 32"},
      {"ld.relaxed.cluster.b64", "load generic relaxed.cluster 64"},
      {"ld.acquire.sys.global.u32", "load global acquire.sys 32"},
      {"ld.acquire.cta.shared::cta.b32", "load shared acquire.cta 32"},
      {"ld.mmio.relaxed.sys.global.u32", "load global relaxed.sys 32"},
      {"ld.shared::cluster.u32", "load shared weak 32"},
      {"ld.local.v2.f64", "load local weak 128"},
      {"ld.const.u16", "load constant weak 16"},
      {"ld.param.u64", "load param weak 64"},
      {"ld.param::entry.b32", "load param weak 32"},
      {"ld.global.v8.b32", "load global weak 256"},
      {"ld.global.v4.b64", "load global weak 256"},
      {"ld.global.b128", "load global weak 128"},
      {"ldu.global.f32", "load global weak 32"},
      {"st.global.v4.u32", "store global weak 128"},
      {"st.release.gpu.global.u32", "store global release.gpu 32"},
      {"st.volatile.u8", "store generic volatile 8"},
      {"st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32", "store shared weak 32"},
      {"atom.global.add.u32", "atomic global weak 32"},
      {"atom.acq_rel.sys.global.cas.b64", "atomic global acq_rel.sys 64"},
      {"atom.relaxed.gpu.global.add.noftz.f16x2", "atomic global relaxed.gpu 32"},
      {"atom.shared.exch.b128", "atomic shared weak 128"},
      {"red.release.gpu.global.add.u32", "red global release.gpu 32"},
      {"red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64",
       "red shared relaxed.cluster 64"},
      {"tex.2d.v4.f32.s32", "load texture weak 128"},
      {"sust.b.1d.b32.trap", "store texture weak 32"},
      {"mbarrier.try_wait.parity.shared::cta.b64", "load shared acquire.cta 64"},
      {"mbarrier.test_wait.acquire.cluster.shared.b64", "load shared acquire.cluster 64"},
      {"mbarrier.try_wait.relaxed.cluster.shared::cta.b64", "load shared relaxed.cluster 64"},
      {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "load shared weak 128"},
      {"ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16", "load shared weak 32"},
      {"stmatrix.sync.aligned.m8n8.x2.shared.b16", "store shared weak 64"},
      {"multimem.ld_reduce.relaxed.gpu.global.add.f32", "load global relaxed.gpu 32"},
      {"multimem.red.release.sys.global.add.u32", "red global release.sys 32"},
  };
  for (const row& r : rows) EXPECT_EQ(meaning(r.spelling), r.meaning) << r.spelling;
}

TEST(ptx_opcode, fences_barriers_and_what_crosses_lanes) {
  constexpr row rows[] = {
      {"fence.sc.gpu", "fence none sc.gpu"},
      {"fence.acq_rel.cluster", "fence none acq_rel.cluster"},
      {"fence.acquire.sync_restrict::shared::cluster.cluster", "fence none acquire.cluster"},
      {"fence.proxy.async", "fence none weak"},
      {"membar.gl", "fence none weak.gpu"},
      {"membar.cta", "fence none weak.cta"},
      {"bar.sync", "barrier"},
      {"bar.arrive", "barrier"},
      {"barrier.cluster.wait.acquire.aligned", "barrier"},
      {"barrier.cta.red.popc.aligned.u32", "barrier"},
      {"bar.warp.sync", "warp"},
      {"shfl.sync.bfly.b32", "exchange"},
      {"vote.sync.ballot.b32", "exchange"},
      {"match.any.sync.b32", "exchange"},
      {"redux.sync.add.s32", "exchange"},
      {"activemask.b32", "exchange"},
      {"elect.sync", "exchange"},
      {"nanosleep.u32", "sleep"},
      {"call.uni", "call"},
      {"griddepcontrol.wait", "barrier"},
      {"griddepcontrol.launch_dependents", "plain"},
  };
  for (const row& r : rows) {
    // An order without a scope of its own (membar) is told by the scope alone.
    std::string found = meaning(r.spelling);
    if (r.spelling.substr(0, 6) == "membar")
      found += std::string(".") + flow::name(decode_opcode(r.spelling).reach);
    EXPECT_EQ(found, r.meaning) << r.spelling;
  }
}

TEST(ptx_opcode, control_flow) {
  for (const char* leave : {"ret", "ret.uni", "exit", "trap"})
    EXPECT_EQ(decode_opcode(leave).then, transfer::leave) << leave;
  for (const char* jump : {"bra", "bra.uni"})
    EXPECT_EQ(decode_opcode(jump).then, transfer::jump) << jump;
  EXPECT_EQ(decode_opcode("brx.idx").then, transfer::indirect);
  for (const char* next : {"call", "bar.sync", "brkpt", "add.s32", "setp.eq.u32"})
    EXPECT_EQ(decode_opcode(next).then, transfer::next) << next;
}

TEST(ptx_opcode, forms_that_counting_needs) {
  for (const char* add : {"add.s32", "add.u64", "add.s16"})
    EXPECT_EQ(decode_opcode(add).shape, form::add) << add;
  for (const char* other :
       {"add.f32", "add.cc.u32", "add.sat.s32", "add.rn.f64", "add.f16x2", "addc.u32", "mad.lo.s32",
        "setp.lt.f32", "setp.lt.and.s32", "setp.num.f32", "cvt.s64.s32"})
    EXPECT_EQ(decode_opcode(other).shape, form::other) << other;
  for (const char* move : {"mov.u32", "mov.pred", "cvta.to.global.u64"})
    EXPECT_EQ(decode_opcode(move).shape, form::move) << move;
  EXPECT_EQ(decode_opcode("not.pred").shape, form::negate_predicate);
  EXPECT_EQ(decode_opcode("not.b32").shape, form::other);
  const std::map<std::string, relation> relations = {
      {"eq.s32", relation::eq}, {"ne.b64", relation::ne}, {"lt.s32", relation::lt},
      {"le.u32", relation::le}, {"gt.s64", relation::gt}, {"ge.s16", relation::ge},
      {"lo.u32", relation::lt}, {"ls.u32", relation::le}, {"hi.u32", relation::gt},
      {"hs.u32", relation::ge}};
  for (const auto& [text, expected] : relations) {
    const std::string spelling = "setp." + text;
    const opcode o = decode_opcode(spelling);
    EXPECT_EQ(o.shape, form::compare) << spelling;
    EXPECT_EQ(o.rel, expected) << spelling;
    EXPECT_EQ(o.unsigned_compare, text[3] == 'u' || text[3] == 'b') << spelling;
  }
}

TEST(ptx_opcode, which_operand_is_written) {
  for (const char* first :
       {"add.s32", "ld.global.u32", "atom.global.add.u32", "shfl.sync.idx.b32", "bar.red.popc.u32",
        "mbarrier.arrive.shared.b64", "wmma.mma.sync", "wmma.load.a.sync.aligned.row.m16n16k16.f16",
        "setp.eq.s32", "multimem.ld_reduce.global.add.f32", "vadd.s32.s32.s32", "elect.sync"})
    EXPECT_EQ(decode_opcode(first).writes, result::first) << first;
  for (const char* none : {"st.global.u32", "red.global.add.u32", "bar.sync", "bra", "ret",
                           "membar.gl", "cp.async.ca.shared.global", "mbarrier.init.shared.b64",
                           "wmma.store.d.sync.aligned.row.m16n16k16.f32", "nanosleep.u32",
                           "prefetch.global.L1", "multimem.st.global.f32"})
    EXPECT_EQ(decode_opcode(none).writes, result::none) << none;
  EXPECT_EQ(decode_opcode("call.uni").writes, result::call);
}

TEST(ptx_opcode, splits_modifiers) {
  const opcode o = decode_opcode("ld.global.L2::128B.nc.u32");
  EXPECT_EQ(o.base, "ld");
  EXPECT_EQ(o.modifiers, (std::vector<std::string_view>{"global", "L2::128B", "nc", "u32"}));
  EXPECT_TRUE(o.has("nc"));
  EXPECT_FALSE(o.has("n"));
  EXPECT_TRUE(decode_opcode("ret").modifiers.empty());
}

TEST(ptx_opcode, unknown_spellings_are_unknown) {
  for (const char* text :
       {"", ".", "frobnicate.u32", "ldx.global.u32", "LD.global.u32", "ad", "addd.s32", "zzz"}) {
    const opcode o = decode_opcode(text);
    EXPECT_FALSE(o.known) << text;
    EXPECT_EQ(o.what, kind::plain) << text;
    EXPECT_EQ(o.then, transfer::next) << text;
  }
}

}  // namespace
}  // namespace ptxlab::ptx
