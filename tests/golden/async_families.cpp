// SPDX-License-Identifier: Apache-2.0
// Golden cases for cp.async and mbarrier: what is copied and what is zero, and which waits find a
// phase complete. Each thread has a cell of shared memory of its own; what an mbarrier or a state
// looks like is not measured.
#include <fmt/format.h>

#include "tests/golden/cases.hpp"
#include "tests/golden/spelled.hpp"

namespace ptxlab::golden {
namespace {

using machine::choice;
using machine::type;

constexpr operand wide{type::b16, use::elements}, word{type::b32, use::bits},
    few{type::b32, use::few};

// --- cp.async ------------------------------------------------------------------------------------

/// %t6: the thread's 16 bytes of shared memory, which hold operands 1 and 2; %l3: 16 bytes to copy,
/// operand 0 of a pair of threads.
constexpr const char* cells =
    ".shared .align 16 .b8 cells[16384];\nmov.u32 %t6, cells;\nmad.lo.u32 %t6, %t0, 16, %t6;\n"
    "st.shared.b64 [%t6], %i1;\nst.shared.b64 [%t6+8], %i2;\n"
    "and.b32 %t7, %t0, 1;\nmul.wide.u32 %l3, %t7, 8;\nsub.u64 %l3, %in, %l3;\n";
constexpr const char* read_cell = "ld.shared.b64 %o0, [%t6];\nld.shared.b64 %o1, [%t6+8];\n";

golden_case copied(std::string name, const std::string& code) {
  return {std::move(name), {wide, wide, wide, word}, {64, 64}, cells + code + read_cell};
}

void add_copy(const std::string& spelling, const choice& c, std::vector<golden_case>& to) {
  for (const unsigned n : {4U, 8U, 16U}) {
    if (c.is("cache", "cg") && n != 16) continue;
    const std::string name = fmt::format("{}:{}", spelling, n),
                      copy = fmt::format("{} [%t6], [%l3], {}", spelling, n);
    to.push_back(copied(name, copy + ";\ncp.async.wait_all;\n"));
    to.push_back(copied(name + ",size", fmt::format("rem.u32 %t8, %i3, {};\n{}, %t8;\n"
                                                    "cp.async.wait_all;\n",
                                                    n + 1, copy)));
    if (n == 16) continue;
    to.push_back(copied(name + ",apart", fmt::format("{} [%t6+{}], [%l3+{}], {};\n"
                                                     "cp.async.wait_all;\n",
                                                     spelling, 16 - n, n, n)));
  }
  // The machine has no ignore-src.
  to.push_back(
      copied(spelling + ":16,ignore", fmt::format("and.b32 %t8, %i3, 1;\nsetp.ne.b32 %p, %t8, 0;\n"
                                                  "{} [%t6], [%l3], 16, %p;\ncp.async.wait_all;\n",
                                                  spelling)));
  to.back().only_measured = true;
}

/// An mbarrier of one arrival that a copy makes, or of the thread's own where the copy adds the one
/// it makes (no .noinc): the wait ends once the copy is over.
void add_copy_on_barrier(const std::string& spelling, const choice& c,
                         std::vector<golden_case>& to) {
  to.push_back(copied(spelling,
                      ".shared .align 8 .b64 barriers[1024];\nmov.u32 %t8, barriers;\n"
                      "mad.lo.u32 %t8, %t0, 8, %t8;\nmbarrier.init.shared.b64 [%t8], 1;\n"
                      "cvt.u64.u32 %l4, %t8;\ncvta.shared.u64 %l4, %l4;\n"
                      "cp.async.ca.shared.global [%t6], [%l3], 16;\n" +
                          fmt::format("{} {};\n", spelling, c.has("space") ? "[%t8]" : "[%l4]") +
                          (c.has("noinc") ? "" : "mbarrier.arrive.shared.b64 %l5, [%t8];\n") +
                          "copying:\nmbarrier.try_wait.parity.shared.b64 %p, [%t8], 0;\n"
                          "@!%p bra copying;\n"));
}

void add_copies(std::vector<golden_case>& to) {
  each_spelling("cp", [&](const std::string& spelling, const choice& c) {
    if (c.has("cache")) return add_copy(spelling, c, to);
    if (spelling.find("mbarrier") != std::string::npos) return add_copy_on_barrier(spelling, c, to);
    const std::string two =
        "cp.async.ca.shared.global [%t6], [%l3], 8;\ncp.async.commit_group;\n"
        "cp.async.ca.shared.global [%t6+8], [%l3+8], 8;\n";
    const bool groups = spelling.ends_with("group"), waits = c.is("what", "wait_all");
    if (waits)
      to.push_back(copied(spelling, two + "cp.async.wait_all;\n"));
    else if (groups && c.is("what", "commit_group"))
      to.push_back(copied(spelling, two + "cp.async.commit_group;\ncp.async.wait_group 0;\n"));
    else
      // Of two groups the older one is over; the other is waited for only then.
      to.push_back({spelling,
                    {wide, wide, wide},
                    {64, 64, 64},
                    cells + two +
                        "cp.async.commit_group;\ncp.async.wait_group 1;\nld.shared.b64 %o2, "
                        "[%t6];\ncp.async.wait_group 0;\n" +
                        read_cell});
  });
}

// --- mbarrier ------------------------------------------------------------------------------------

/// %t6 (or, generic, %l3): the thread's mbarrier, which waits for `count` arrivals.
std::string initialised(const std::string& count) {
  return fmt::format(
      ".shared .align 8 .b64 barriers[1024];\nmov.u32 %t6, barriers;\n"
      "mad.lo.u32 %t6, %t0, 8, %t6;\nmbarrier.init.shared.b64 [%t6], {};\n"
      "cvt.u64.u32 %l3, %t6;\ncvta.shared.u64 %l3, %l3;\n",
      count);
}
std::string at(const choice& c) {
  return c.has("space") ? "[%t6]" : "[%l3]";
}
/// Result k: whether the phase of a state (where there is one), and those of both parities, are
/// complete.
std::string tested(unsigned k, std::string_view state) {
  const std::string of_state = state == "_" ? fmt::format("mov.b32 %o{}, 0;\n", k)
                                            : fmt::format(
                                                  "mbarrier.test_wait.shared.b64 %p, [%t6], {};\n"
                                                  "selp.b32 %o{}, 1, 0, %p;\n",
                                                  state, k);
  return of_state +
         fmt::format(
             "mbarrier.test_wait.parity.shared.b64 %p, [%t6], 0;\nselp.b32 %t1, 2, 0, %p;\n"
             "or.b32 %o{}, %o{}, %t1;\n"
             "mbarrier.test_wait.parity.shared.b64 %p, [%t6], 1;\nselp.b32 %t1, 4, 0, %p;\n"
             "or.b32 %o{}, %o{}, %t1;\n",
             k, k, k, k);
}
std::string arrived(std::string_view state, const std::string& count = "") {
  return fmt::format("mbarrier.arrive.shared.b64 {}, [%t6]{};\n", state, count);
}

/// Three phases of four arrivals: the tested instruction makes the first one or two of them. Where
/// it drops them, later phases expect as many less.
void add_arrival(const std::string& spelling, const choice& c, std::vector<golden_case>& to) {
  const bool expects = c.has("expect");
  // An arrival that may be at another block's mbarrier gives no state.
  const std::string_view state = c.is("space", "shared::cluster") ? "_" : "%l4";
  for (const bool counts : {false, true}) {
    if (counts && expects) continue;               // the number is that of bytes
    if (!counts && c.has("noComplete")) continue;  // has to say how many
    // %t7: arrivals of the tested instruction; %t8: the rest of the phase; %t9: all but one of
    // those of later ones.
    std::string code = initialised("4");
    code += counts ? "and.b32 %t7, %i0, 1;\nadd.u32 %t7, %t7, 1;\n" : "mov.b32 %t7, 1;\n";
    code += "sub.u32 %t8, 4, %t7;\nmov.b32 %t9, 3;\n";
    if (c.is("what", "arrive_drop")) code += "sub.u32 %t9, 3, %t7;\n";
    code += fmt::format("{} {}, {}{};\n", spelling, state, at(c),
                        expects  ? ", 16"
                        : counts ? ", %t7"
                                 : "");
    code += tested(0, state) + arrived("%l5", ", %t8") + tested(1, state);
    if (expects)
      code += "mbarrier.complete_tx.shared.b64 [%t6], 12;\n" + tested(2, state) +
              "mbarrier.complete_tx.shared.b64 [%t6], 4;\n" + tested(3, state);
    else
      code += arrived("%l4") + tested(2, "%l4") + arrived("%l5", ", %t9") + tested(3, "%l4");
    code += arrived("%l4", ", %t9") + tested(4, "%l4") + arrived("%l5") + tested(5, "%l4");
    to.push_back({spelling + (counts ? ":counted" : ""), {word}, {32, 32, 32, 32, 32, 32}, code});
  }
}

void add_waits(const std::string& spelling, const choice& c, std::vector<golden_case>& to) {
  // Each thread arrives once to three times, where 2 arrivals are a phase.
  std::string code = initialised("2") + "and.b32 %t7, %i0, 3;\n" + arrived("%l4") +
                     "setp.lt.u32 %q, %t7, 1;\n@!%q " + arrived("%l5") +
                     "setp.lt.u32 %q, %t7, 3;\n@!%q " + arrived("%l6");
  const auto test = [&](unsigned k, const char* what) {
    return fmt::format("{} %o{}, {}, {};\n", spelling, k, at(c), what);
  };
  code += c.has("parity") ? test(0, "0") + test(1, "1") + "and.b32 %t9, %i1, 1;\n" + test(2, "%t9")
                          : test(0, "%l4");
  to.push_back({spelling,
                {few, word},
                c.has("parity") ? std::vector<unsigned>{1, 1, 1} : std::vector<unsigned>{1},
                code});
}

void add_barriers(std::vector<golden_case>& to) {
  each_spelling("mbarrier", [&](const std::string& spelling, const choice& c) {
    const std::string_view what = c.get("what");
    if (what == "arrive" || what == "arrive_drop") return add_arrival(spelling, c, to);
    if (what == "test_wait" || what == "try_wait") return add_waits(spelling, c, to);
    golden_case g{spelling, {few}, {32, 32, 32}, initialised("1")};
    if (what == "init")
      // What was an mbarrier becomes another one, of one to four arrivals.
      g.code += "mbarrier.inval.shared.b64 [%t6];\nadd.u32 %t7, %i0, 1;\n" +
                fmt::format("{} {}, %t7;\n", spelling, at(c)) + arrived("%l4") + tested(0, "%l4") +
                "setp.lt.u32 %q, %t7, 3;\n@!%q " + arrived("%l5", ", 2") + tested(1, "%l4") +
                "setp.eq.u32 %q, %t7, 4;\n@%q " + arrived("%l5") + tested(2, "%l4");
    else if (what == "inval")
      g.code += fmt::format("{} {};\nst.shared.b32 [%t6], %t0;\n", spelling, at(c)) +
                "ld.shared.b32 %o0, [%t6];\nmbarrier.init.shared.b64 [%t6], 1;\n" + arrived("%l4") +
                tested(1, "%l4") + arrived("%l5") + tested(2, "%l5");
    else if (what == "expect_tx")
      g.code += "add.u32 %t7, %i0, 1;\n" + fmt::format("{} {}, %t7;\n", spelling, at(c)) +
                arrived("%l4") + tested(0, "%l4") + "mbarrier.complete_tx.shared.b64 [%t6], 1;\n" +
                tested(1, "%l4") +
                "sub.u32 %t8, %t7, 1;\nsetp.ne.u32 %q, %t8, 0;\n"
                "@%q mbarrier.complete_tx.shared.b64 [%t6], %t8;\n" +
                tested(2, "%l4");
    else
      g.code += "mbarrier.expect_tx.shared.b64 [%t6], 3;\n" + arrived("%l4") +
                fmt::format("{} {}, %i0;\n", spelling, at(c)) + tested(0, "%l4") +
                "sub.u32 %t8, 3, %i0;\nsetp.ne.u32 %q, %t8, 0;\n@%q " +
                fmt::format("{} {}, %t8;\n", spelling, at(c)) + tested(1, "%l4") + arrived("%l5") +
                tested(2, "%l5");
    to.push_back(std::move(g));
  });
  // The machine does not tell what a state holds.
  to.push_back({"mbarrier.pending_count.b64",
                {few},
                {32, 32},
                initialised("5") + arrived("%l4") + "mbarrier.pending_count.b64 %o0, %l4;\n" +
                    "add.u32 %t7, %i0, 1;\n" + arrived("%l5", ", %t7") +
                    "mbarrier.pending_count.b64 %o1, %l5;\n"});
  to.back().only_measured = true;
}

}  // namespace

void add_async_families(std::vector<golden_case>& to) {
  add_copies(to);
  add_barriers(to);
}

}  // namespace ptxlab::golden
