// SPDX-License-Identifier: Apache-2.0
// Tables and figures on transfers, occupancy and devices over made-up results, whose right values
// were worked out by hand. Beside them what must not happen: a blank or a 0 for what was not
// measured.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "analysis/report/curves.hpp"
#include "analysis/report/occupancy.hpp"
#include "analysis/report/topic.hpp"
#include "analysis/report/transfers.hpp"
#include "analysis/results/statistics.hpp"
#include "analysis/toolchain/files.hpp"

namespace ptxlab::report {
namespace {

using results::row;
using cells = std::vector<std::string>;

row make(const std::string& id, const std::map<std::string, double>& at,
         const std::string& quantity, double median, const std::string& protocol = "transfer") {
  row r;
  r.id = id;
  r.axes = at;
  r.protocol = protocol;
  r.quantity = quantity;
  r.unit = "unit";
  r.value = results::summarise({median});
  return r;
}

row lost(row r, const std::string& reason) {
  r.value.reset();
  r.state = results::status::not_run;
  r.reason = reason;
  return r;
}

historical then_of(const std::string& lines) {
  const toolchain::temporary_folder folder;
  toolchain::write_file(folder.path() / "then.csv",
                        "document,table,row,column,value,unit\n" + lines);
  return historical(folder.path() / "then.csv");
}

class made_up {
 public:
  explicit made_up(std::vector<row> rows, historical then = {},
                   std::map<std::string, std::string> device = {{"name", "Synthetic"},
                                                                {"arch", "sm_90"}})
      : then_(std::move(then)), all_({source{"made up", file_of(std::move(rows), device)}}) {}

  topic_context context() const { return {all_.sections().at(0), known_, then_}; }

 private:
  static results::file file_of(std::vector<row> rows,
                               const std::map<std::string, std::string>& device) {
    results::file f;
    f.of.device = device;
    f.of.started = "2000";
    f.rows = std::move(rows);
    return f;
  }

  evidence known_;
  historical then_;
  collection all_;
};

/// The cells of the line that begins with `name`.
cells line_of(const table& t, const std::string& name) {
  for (const line& l : t.lines) {
    EXPECT_EQ(l.cells.size(), t.columns.size()) << t.title;
    if (l.cells.front() == name) return l.cells;
  }
  ADD_FAILURE() << t.title << ": no line of " << name;
  return {};
}

std::vector<row> some_transfers() {
  const std::string pinned = "transfer/copies/pinned_to_device";
  return {make(pinned, {{"bytes", 4}}, "time", 6.5),
          make(pinned, {{"bytes", 4}}, "bandwidth", 0.002),
          make(pinned, {{"bytes", 1 << 20}}, "time", 27),
          make(pinned, {{"bytes", 1 << 20}}, "bandwidth", 50),
          make(pinned, {}, "half size", 400000),
          make(pinned, {}, "half size queued", 120),
          make("bandwidth/global/read_dram", {}, "bandwidth", 4000, "bandwidth"),
          lost(make("transfer/copies/peer_to_peer", {{"bytes", 4}}, "time", 1), "here is one GPU")};
}

TEST(report_transfers, ways) {
  const made_up all(some_transfers());
  const table t = transfer_tables(all.context()).at(0);
  // 4 bytes at 0.002 GB/s are 2 us.
  EXPECT_EQ(line_of(t, "pinned to device"),
            (cells{"pinned to device", "6.50", "2.00", "50.0", "1 MiB", "390.6 KiB", "120 B"}));
  EXPECT_EQ(line_of(t, "peer to peer"),
            (cells{"peer to peer", "not measured", "not measured", "not measured", "not measured",
                   "not measured", "not measured"}));
  EXPECT_EQ(t.lines[0].notes, cells{"here is one GPU"});
}

TEST(report_transfers, sizes) {
  std::vector<row> rows = some_transfers();
  rows.push_back(make("transfer/copies/mapped_to_host", {{"bytes", 4}}, "time", 9));
  const made_up all(std::move(rows));
  const auto tables = transfer_size_tables(all.context());
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_EQ(line_of(tables[0], "4 B"), (cells{"4 B", "9", "6.5"}));
  EXPECT_EQ(line_of(tables[0], "1 MiB"), (cells{"1 MiB", "not measured", "27"}));
  EXPECT_EQ(line_of(tables[1], "1 MiB"), (cells{"1 MiB", "50"}));
  EXPECT_EQ(line_of(tables[1], "4 B"), (cells{"4 B", "0.002"}));
}

TEST(report_transfers, figures) {
  const made_up all(some_transfers());
  const auto figures = transfer_figures(all.context());
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures[0].name, "transfers-time");
  EXPECT_NE(figures[1].commands.find("4 0.002\n1048576 50\n"), std::string::npos);
  EXPECT_EQ(figures[1].commands.find("peer"), std::string::npos) << "no curve without points";
}

TEST(report_transfers, bottleneck) {
  const made_up all(some_transfers());
  const table t = bottleneck_tables(all.context()).at(0);
  EXPECT_EQ(line_of(t, "pinned to device"), (cells{"pinned to device", "50.0", "80 times"}));
  EXPECT_EQ(line_of(t, "peer to peer"), (cells{"peer to peer", "not measured", "not measured"}));
  EXPECT_EQ(line_of(t, "a kernel reads DRAM"), (cells{"a kernel reads DRAM", "4000", "-"}));
}

TEST(report_transfers, nothing_measured_is_said) {
  const made_up none({make("latency/a/b", {}, "latency", 1, "latency")});
  EXPECT_EQ(transfer_tables(none.context()).at(0).title, "Copies between memories: not measured");
  EXPECT_TRUE(transfer_figures(none.context()).empty());
  EXPECT_EQ(line_of(bottleneck_tables(none.context()).at(0), "a kernel reads DRAM")[1],
            "not measured");
}

TEST(report_curves, nothing_to_draw) {
  EXPECT_EQ(commands_of({}), "");
  EXPECT_EQ(commands_of({{"a", {}, false}}), "");
  const std::string one = commands_of({{"a", {}, false}, {"b's", {{1, 2}}, true}});
  EXPECT_EQ(one.find("'a'"), std::string::npos);
  EXPECT_NE(one.find("title 'b''s'"), std::string::npos) << one;
  EXPECT_NE(one.find("$curve0 using 1:2 with fsteps"), std::string::npos) << one;
}

// ---- occupancy

constexpr const char* old_gpu =
    "C,devices,Warps per multiprocessor,GeForce GTX 480,48,1\n"
    "C,devices,Blocks per multiprocessor,GeForce GTX 480,8,1\n"
    "C,devices,Max threads per block,GeForce GTX 480,1024,1\n"
    "C,devices,Warps per multiprocessor,Tesla C2050,48,1\n"
    "C,devices,Multiprocessors,GeForce GTX 480,15,1\n"
    "C,devices,Total global memory,GeForce GTX 480,1536,MB\n"
    "C,devices,Compute capability,GeForce GTX 480,2.0,1\n";

TEST(report_occupancy, limits_then_need_all_three_numbers) {
  const auto limits = limits_then(then_of(old_gpu));
  ASSERT_EQ(limits.size(), 1u);
  EXPECT_EQ(limits[0].name, "GeForce GTX 480");
  EXPECT_DOUBLE_EQ(limits[0].share(32), 8.0 / 48);
  EXPECT_DOUBLE_EQ(limits[0].share(192), 1);
  EXPECT_DOUBLE_EQ(limits[0].share(832), 26.0 / 48);
  EXPECT_TRUE(limits_then({}).empty());
}

TEST(report_occupancy, rule_for_blocks) {
  const made_up all({make("a/b/c", {}, "latency", 1)}, then_of(old_gpu));
  const table t = block_rule_tables(all.context()).at(0);
  EXPECT_EQ(t.lines.size(), 1u + 12);
  // Of 48 warps and 8 blocks: 192, 256, 384, 512 and 768 fill it.
  EXPECT_EQ(line_of(t, "GeForce GTX 480"),
            (cells{"GeForce GTX 480", "192", "5 of 14", "54 % at 832", "none"}));
  // Of 64 warps and 32 blocks: 256, 512 and 1024, and below the rule 64 and 128.
  EXPECT_EQ(line_of(t, "sm_90"), (cells{"sm_90", "64", "3 of 14", "69 % at 704", "64, 128"}));
}

row rate(const std::string& id, double warps, double ilp, double median) {
  return make("throughput/" + id, {{"warps", warps}, {"ilp", ilp}}, "throughput", median,
              "throughput");
}

TEST(report_occupancy, threads_that_operations_need) {
  std::vector<row> rows = {rate("a/b", 4, 1, 50),  rate("a/b", 8, 1, 91), rate("a/b", 4, 2, 100),
                           rate("a/b", 8, 2, 100), rate("a/c", 4, 1, 10), rate("a/c", 8, 1, 89),
                           rate("a/c", 4, 2, 20),  rate("a/c", 8, 2, 100)};
  rows.push_back(lost(rate("a/d", 4, 1, 1), "invalid"));
  const made_up all(std::move(rows));
  const table t = thread_rule_tables(all.context()).at(0);
  ASSERT_EQ(t.lines.size(), 2u);
  EXPECT_EQ(line_of(t, "128"), (cells{"128", "0 of 2", "1 of 2"}));
  EXPECT_EQ(line_of(t, "256"), (cells{"256", "1 of 2", "2 of 2"}));
  const made_up none({make("a/b/c", {}, "latency", 1)});
  EXPECT_TRUE(thread_rule_tables(none.context()).at(0).title.ends_with(": not measured"));
}

TEST(report_occupancy, figures) {
  const made_up all({make("a/b/c", {}, "latency", 1)}, then_of(old_gpu));
  const auto figures = occupancy_figures(all.context());
  ASSERT_EQ(figures.size(), 4u);
  EXPECT_EQ(figures[0].name, "occupancy-blocks");
  EXPECT_NE(figures[0].commands.find("704 68.75\n"), std::string::npos);
  EXPECT_NE(figures[3].commands.find("GeForce GTX 480"), std::string::npos);
  const made_up other({make("a/b/c", {}, "latency", 1)}, {}, {{"name", "Old"}, {"arch", "sm_60"}});
  EXPECT_TRUE(occupancy_figures(other.context()).empty()) << "nothing is known of sm_60";
}

// ---- devices

TEST(report_devices, then_and_now) {
  const made_up all({make("a/b/c", {}, "latency", 1)}, then_of(old_gpu),
                    {{"name", "Synthetic"},
                     {"arch", "sm_103"},
                     {"multiprocessors", "30"},
                     {"memory_bytes", "3221225472"}});
  const auto parts = topics_of({"devices.then"});
  ASSERT_EQ(parts.size(), 1u);
  const table t = parts[0]->tables(all.context()).at(0);
  EXPECT_EQ(line_of(t, "Compute capability"), (cells{"Compute capability", "no figure found",
                                                     "no figure found", "2.0", "10.3", "-"}));
  EXPECT_EQ(line_of(t, "Multiprocessors"),
            (cells{"Multiprocessors", "no figure found", "no figure found", "15", "30", "2"}));
  EXPECT_EQ(line_of(t, "Total global memory, MB")[4], "3072");
  EXPECT_EQ(line_of(t, "Max grid x")[4], "not told");
}

TEST(report_devices, architectures) {
  const made_up all({make("a/b/c", {}, "latency", 1)});
  const table t = topics_of({"devices.architectures"})[0]->tables(all.context()).at(0);
  EXPECT_EQ(line_of(t, "sm_89"),
            (cells{"sm_89", "48", "24", "65536", "256", "100", "99", "1024", "128"}));
}

}  // namespace
}  // namespace ptxlab::report
