// SPDX-License-Identifier: Apache-2.0
// Finding tools and building, with fake tools (shell scripts) for whatever can go wrong, and with
// the real ones where they are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "analysis/toolchain/build.hpp"
#include "analysis/toolchain/doctor.hpp"
#include "analysis/toolchain/process.hpp"
#include "ptx/text/error.hpp"

namespace {

using namespace ptxlab::toolchain;
namespace fs = std::filesystem;

constexpr const char* kernel_source =
    "extern \"C\" __global__ void store(int *p) {\n  for (int i = 0; i < 9; ++i) p[i * i] = "
    "i;\n}\n";

constexpr const char* ptx_of_fake = ".version 9.0\\n.target sm_90\\n.entry k() { ret; }\\n";

// A folder with fake tools that behave well, each of which a test may replace.
class toolchain_fake_test : public testing::Test {
 protected:
  toolchain_fake_test() {
    fs::create_directory(bin_);
    fake("nvcc", version("nvcc", "13.0.88") +
                     "case \"$*\" in\n"
                     "  *--list-gpu-code*) printf 'sm_75\\nsm_90\\nsm_100\\n'; exit 0;;\n"
                     "  *-dryrun*) echo '#$ ptxas -arch=sm_90 -m64 -maxrregcount=32 \"x.ptx\" -o "
                     "\"/dev/null\"' >&2; exit 0;;\n"
                     "esac\n" +
                     note("nvcc") + options_loop() + "printf '" + ptx_of_fake +
                     "' > \"$output\"\necho \"o: $input\" > \"$rule\"\n");
    fake("ptxas", version("ptxas", "13.0.88") + note("ptxas") + options_loop() +
                      "echo 'ptxas info    : Used 6 registers' >&2\nprintf CUBIN > \"$output\"\n");
    fake("nvdisasm", version("nvdisasm", "13.2.78") + note("nvdisasm") +
                         "case \"$1\" in -json) echo '[{},[]]';; *) echo '.target sm_90';; esac\n");
    fake("cuobjdump", version("cuobjdump", "13.2.78") + note("cuobjdump") + "echo REG:6\n");
    write_file(source_, kernel_source);
  }

  void fake(const std::string& name, const std::string& body) const {
    write_file(bin_ / name, "#!/bin/sh\n" + body);
    fs::permissions(bin_ / name, fs::perms::owner_all);
  }
  static std::string version(const std::string& name, const std::string& number) {
    return "[ \"$1\" = --version ] && { echo '" + name + ": release, V" + number + "'; exit 0; }\n";
  }
  // Every call is noted, so that a test can count them.
  std::string note(const std::string& name) const {
    return "echo \"" + name + " $*\" >> '" + (folder_.path() / "calls").string() + "'\n";
  }
  static std::string options_loop() {
    return "input=; output=; rule=\nwhile [ $# -gt 0 ]; do case \"$1\" in\n"
           "  -o) output=$2; shift;; -MF) rule=$2; shift;; *) input=$1;;\nesac; shift; done\n";
  }
  std::vector<std::string> calls(const std::string& part = "") const {
    std::vector<std::string> found;
    if (!fs::exists(folder_.path() / "calls")) return found;
    std::istringstream lines(read_file(folder_.path() / "calls"));
    for (std::string line; std::getline(lines, line);) {
      if (line.find(part) != std::string::npos) found.push_back(line);
    }
    return found;
  }
  places where() const {
    places own;
    own.variable = [this](const std::string& name) -> std::optional<std::string> {
      const auto found = variables_.find(name);
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    };
    own.path_folders = {bin_};
    return own;
  }
  result build_source(std::vector<std::string> flags = {}, const cache& store = {},
                      const std::string& arch = "sm_90") const {
    const request asked{.file = source_, .arch = arch, .nvcc_flags = std::move(flags)};
    return build_all(find_toolset(where()), store, {asked},
                     {.threads = 2, .timeout = std::chrono::seconds(2)})[0];
  }

  temporary_folder folder_;
  fs::path bin_ = folder_.path() / "bin";
  fs::path source_ = folder_.path() / "k.cu";
  std::map<std::string, std::string> variables_;
};

TEST(toolchain_tools_test, reads_versions) {
  EXPECT_EQ(parse_version("nvcc: NVIDIA (R) Cuda compiler driver\nCuda compilation tools, release "
                          "13.0, V13.0.88\nBuild cuda_13.0.r13.0/compiler.36424714_0\n"),
            "13.0.88");
  EXPECT_EQ(parse_version("Debian LLVM version 14.0.6\n  Optimized build.\n"), "14.0.6");
  EXPECT_EQ(parse_version("LLVM (http://llvm.org/):\n  LLVM version 17.0.1\n"), "17.0.1");
  EXPECT_EQ(parse_version("lit 18.1.8\n"), "18.1.8");
  EXPECT_EQ(parse_version("1.2.3\nsplit 4\n"), "");
}

TEST_F(toolchain_fake_test, tools_are_found_in_order) {
  const auto other = folder_.path() / "other", venv = folder_.path() / "venv";
  for (const auto& place : {other, venv}) {
    fs::create_directory(place);
    fs::copy_file(bin_ / "ptxas", place / "ptxas");
    fs::copy_file(bin_ / "nvdisasm", place / "nvdisasm");
  }
  places own = where();
  EXPECT_EQ(find_tool("nvdisasm", own).path, bin_ / "nvdisasm");
  EXPECT_EQ(find_tool("nvdisasm", own).version, "13.2.78");
  own.environment_folders = {venv};
  EXPECT_EQ(find_tool("nvdisasm", own).path, venv / "nvdisasm");
  EXPECT_EQ(find_toolset(own).ptxas.path, bin_ / "ptxas") << "nvcc's own folder comes first";
  variables_["PTXLAB_NVDISASM"] = (other / "nvdisasm").string();
  variables_["PTXLAB_PTXAS"] = (other / "ptxas").string();
  EXPECT_EQ(find_tool("nvdisasm", own).path, other / "nvdisasm");
  EXPECT_EQ(find_toolset(own).ptxas.path, other / "ptxas");
}

TEST_F(toolchain_fake_test, a_variable_that_names_no_program_is_a_problem) {
  variables_["PTXLAB_NVCC"] = "/nowhere/nvcc";
  const tool found = find_tool("nvcc", where());
  EXPECT_FALSE(found.usable()) << "it must not fall back to another nvcc";
  EXPECT_EQ(found.problem, "PTXLAB_NVCC=/nowhere/nvcc is not a program");
}

TEST_F(toolchain_fake_test, a_tool_that_is_missing_or_broken_says_so) {
  EXPECT_EQ(find_tool("nosuchtool", where()).problem, "nosuchtool was not found");
  fake("nvdisasm", "exit 7\n");
  EXPECT_NE(find_tool("nvdisasm", where()).problem.find("exit code 7"), std::string::npos);
  fake("nvdisasm", "echo garbage\n");
  EXPECT_NE(find_tool("nvdisasm", where()).problem.find("does not tell a version"),
            std::string::npos);
  write_file(bin_ / "nvdisasm", "no program");
  fs::permissions(bin_ / "nvdisasm", fs::perms::owner_read);
  EXPECT_FALSE(find_tool("nvdisasm", where()).usable());
}

TEST_F(toolchain_fake_test, versions_are_kept_until_the_tool_changes) {
  const cache store(folder_.path() / "cache");
  EXPECT_EQ(find_tool("ptxas", where(), store).version, "13.0.88");
  EXPECT_EQ(find_tool("ptxas", where(), store).version, "13.0.88");
  fake("ptxas", version("ptxas", "13.1.5"));
  EXPECT_EQ(find_tool("ptxas", where(), store).version, "13.1.5");
}

TEST(toolchain_places_test, follow_the_program) {
  const temporary_folder folder;
  const auto tools = folder.path() / "build/venv/lib/python3.11/site-packages/nvidia/cu13/bin";
  fs::create_directories(tools);
  fs::create_directories(folder.path() / "lib");
  fs::create_directory_symlink(folder.path() / "build", folder.path() / "lib/ptxlab");
  const auto built = places::of(folder.path() / "build/ptxlab").environment_folders;
  EXPECT_NE(std::find(built.begin(), built.end(), tools), built.end());
  const auto installed = places::of(folder.path() / "bin/ptxlab").environment_folders;
  const auto expected =
      folder.path() / "lib/ptxlab/venv/lib/python3.11/site-packages/nvidia/cu13/bin";
  EXPECT_NE(std::find(installed.begin(), installed.end(), expected), installed.end());
}

TEST_F(toolchain_fake_test, makes_every_product) {
  const result made = build_source();
  ASSERT_EQ(made.failure, "");
  ASSERT_EQ(made.builds.size(), 1U);
  const build& one = made.builds[0];
  EXPECT_EQ(one.arch, "sm_90");
  EXPECT_EQ(one.kind, input_kind::cuda);
  EXPECT_EQ(one.ptx.text, ".version 9.0\n.target sm_90\n.entry k() { ret; }\n");
  EXPECT_EQ(one.unoptimised_ptx.text, one.ptx.text);
  EXPECT_EQ(one.cubin.text, "CUBIN");
  EXPECT_EQ(read_file(one.cubin_path), "CUBIN");
  EXPECT_EQ(one.ptxas_log.text, "ptxas info    : Used 6 registers\n");
  EXPECT_EQ(one.sass_json.text, "[{},[]]\n");
  EXPECT_EQ(one.sass_text.text, ".target sm_90\n");
  EXPECT_EQ(one.resource_usage.text, "REG:6\n");
  ASSERT_EQ(one.timings.size(), 6U);
  for (const timing& time : one.timings) {
    EXPECT_GT(time.seconds, 0) << time.step;
    EXPECT_FALSE(time.cached);
  }
  EXPECT_EQ(calls("nvcc -ptx -lineinfo -arch=sm_90").size(), 1U);
  EXPECT_EQ(calls("nvcc -ptx -G -arch=sm_90").size(), 1U);
  EXPECT_EQ(calls("ptxas -v -lineinfo -arch=sm_90").size(), 1U);
}

TEST_F(toolchain_fake_test, ptxas_gets_what_nvcc_would_give_it) {
  ASSERT_EQ(build_source({"-maxrregcount=32"}).failure, "");
  EXPECT_EQ(calls("ptxas -v -lineinfo -arch=sm_90 -maxrregcount=32 ").size(), 1U);
  EXPECT_EQ(calls("nvcc -ptx -lineinfo -arch=sm_90 -maxrregcount=32 ").size(), 1U);
}

TEST_F(toolchain_fake_test, unchanged_builds_run_nothing) {
  const cache store(folder_.path() / "cache");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the source must be older
  const result first = build_source({}, store);
  const auto before = calls().size();
  const result second = build_source({}, store);
  EXPECT_EQ(calls().size(), before);
  ASSERT_EQ(second.builds.size(), 1U);
  EXPECT_EQ(second.builds[0].ptx.text, first.builds[0].ptx.text);
  EXPECT_EQ(second.builds[0].cubin.text, first.builds[0].cubin.text);
  EXPECT_EQ(second.builds[0].ptxas_log.text, first.builds[0].ptxas_log.text);
  for (const timing& time : second.builds[0].timings) {
    EXPECT_TRUE(time.cached) << time.step;
    EXPECT_EQ(time.seconds, 0);
  }
  // Another flag, another architecture, another source, another tool: each runs nvcc again.
  build_source({"-DX"}, store);
  EXPECT_EQ(calls("nvcc -ptx -lineinfo").size(), 2U);
  build_source({}, store, "sm_100");
  EXPECT_EQ(calls("nvcc -ptx -lineinfo").size(), 3U);
  write_file(source_, std::string(kernel_source) + "\n");
  build_source({}, store);
  EXPECT_EQ(calls("nvcc -ptx -lineinfo").size(), 4U);
  fake("nvcc", read_file(bin_ / "nvcc").substr(10) + "# changed\n");
  build_source({}, store);
  EXPECT_EQ(calls("nvcc -ptx -lineinfo").size(), 5U);
}

TEST_F(toolchain_fake_test, falls_back_where_G_is_refused) {
  const std::string good = read_file(bin_ / "nvcc").substr(10);
  fake("nvcc",
       "case \"$*\" in *-G*) echo 'nvcc fatal   : no -G today' >&2; exit 1;; esac\n" + good);
  const result made = build_source();
  ASSERT_EQ(made.failure, "");
  EXPECT_TRUE(made.builds[0].unoptimised_ptx.text);
  EXPECT_EQ(made.builds[0].unoptimised_ptx.problem, "");
  EXPECT_EQ(calls("-Xcicc -O0").size(), 1U);

  fake("nvcc", "case \"$*\" in *-G*|*-O0*) echo 'nvcc fatal   : no' >&2; exit 1;; esac\n" + good);
  const result without = build_source();
  ASSERT_EQ(without.failure, "");
  EXPECT_FALSE(without.builds[0].unoptimised_ptx.text);
  EXPECT_NE(without.builds[0].unoptimised_ptx.problem.find("with -G"), std::string::npos);
  EXPECT_TRUE(without.builds[0].ptx.text) << "the rest does not need it";
}

TEST_F(toolchain_fake_test, a_source_that_does_not_compile_is_not_tried_a_third_time) {
  fake("nvcc", version("nvcc", "13.0.88") + note("nvcc") +
                   "echo \"$PWD/k.cu(3): error: bad\" >&2; exit 2\n");
  EXPECT_NE(build_source().failure.find("k.cu(3): error: bad"), std::string::npos);
  EXPECT_EQ(calls("nvcc").size(), 2U);
}

TEST_F(toolchain_fake_test, tools_that_fail_leave_a_problem_or_a_failure) {
  fake("nvdisasm", version("nvdisasm", "13.2.78") + "kill -SEGV $$\n");
  const result crashed = build_source();
  ASSERT_EQ(crashed.failure, "");
  EXPECT_EQ(crashed.builds[0].sass_json.problem, "nvdisasm -json: ended by signal 11");
  EXPECT_FALSE(crashed.builds[0].sass_json.text);
  EXPECT_TRUE(crashed.builds[0].resource_usage.text);

  fake("nvdisasm", version("nvdisasm", "13.2.78") + "exit 0\n");
  EXPECT_EQ(build_source().builds[0].sass_text.problem, "nvdisasm -g -gp -c: printed nothing");

  fs::remove(bin_ / "nvdisasm");
  EXPECT_EQ(build_source().builds[0].sass_text.problem, "nvdisasm was not found");

  fake("ptxas", version("ptxas", "13.0.88") + "exit 0\n");
  EXPECT_NE(build_source().failure, "") << "success without a cubin is none";
  fake("ptxas", version("ptxas", "13.0.88") + "sleep 100\n");
  EXPECT_NE(build_source().failure.find("ptxas: no end after 2 s"), std::string::npos);

  variables_["PTXLAB_PTXAS"] = "/nowhere";
  const result unassembled = build_source();
  ASSERT_EQ(unassembled.failure, "");
  EXPECT_TRUE(unassembled.builds[0].ptx.text);
  EXPECT_EQ(unassembled.builds[0].cubin.problem,
            "no machine code: PTXLAB_PTXAS=/nowhere is not a program");
  EXPECT_EQ(unassembled.builds[0].sass_json.problem, unassembled.builds[0].cubin.problem);

  fs::remove(bin_ / "nvcc");
  EXPECT_NE(build_source().failure.find("CUDA source needs nvcc: nvcc was not found"),
            std::string::npos);
}

TEST_F(toolchain_fake_test, wrong_requests_get_one_line_each) {
  EXPECT_EQ(build_source({}, {}, "hopper").failure,
            "unknown architecture 'hopper'; nvcc 13.0.88 knows sm_75 sm_90 sm_100");
  EXPECT_NE(build_source({"-G"}).failure.find("-G is not taken"), std::string::npos);
  const auto failure = [&](const fs::path& file) {
    return build_all(find_toolset(where()), {}, {{.file = file, .arch = "", .nvcc_flags = {}}})[0]
        .failure;
  };
  EXPECT_EQ(failure("/nowhere.cu"), "/nowhere.cu: No such file or directory");
  EXPECT_EQ(failure(bin_), bin_.string() + ": is a folder, not a file");
  EXPECT_TRUE(calls().empty()) << "no tool is run for these";
}

TEST_F(toolchain_fake_test, results_keep_the_order_of_requests_and_failures_stay_apart) {
  std::vector<request> asked;
  for (int i = 0; i < 6; ++i) {
    asked.push_back({.file = i == 2 ? fs::path("/nowhere.cu") : source_,
                     .arch = i % 2 == 0 ? "sm_90" : "sm_100",
                     .nvcc_flags = {},
                     .unoptimised = false});
  }
  std::size_t last = 0, known = 0;
  options how{.threads = 3, .progress = [&](std::size_t done, std::size_t all) {
                EXPECT_EQ(done, last + 1);
                last = done, known = all;
              }};
  const auto results = build_all(find_toolset(where()), {}, asked, how);
  ASSERT_EQ(results.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(results[i].failure.empty(), i != 2) << i;
    if (i != 2) {
      EXPECT_EQ(results[i].builds[0].arch, i % 2 == 0 ? "sm_90" : "sm_100");
    }
  }
  EXPECT_EQ(last, known);
  EXPECT_EQ(calls(" -G ").size(), 0U);
}

TEST_F(toolchain_fake_test, old_ptx_is_assembled_for_the_oldest_architecture_left) {
  const auto file = folder_.path() / "old.ptx";
  write_file(file, ".version 4.0\n.target sm_30\n");
  const auto builds =
      build_one(find_toolset(where()), {}, {.file = file, .arch = "", .nvcc_flags = {}});
  EXPECT_EQ(builds.at(0).arch, "sm_75");
  ASSERT_EQ(builds[0].notes.size(), 1U);
  EXPECT_NE(builds[0].notes[0].find("sm_30"), std::string::npos);
  EXPECT_FALSE(builds[0].unoptimised_ptx.problem.empty());
}

TEST_F(toolchain_fake_test, doctor_is_not_fooled) {
  const auto check_named = [&](const std::string& name) {
    for (check& one : doctor(where(), folder_.path() / "cache")) {
      if (one.name == name) return one;
    }
    return check{};
  };
  EXPECT_FALSE(check_named("nvdisasm").ok) << "[{},[]] is not the form known";
  EXPECT_EQ(check_named("nvdisasm").detail, "prints JSON without SchemaVersion");
  EXPECT_FALSE(check_named("ptxas").ok) << "a cubin without code";
  EXPECT_TRUE(check_named("cuobjdump").ok);
  EXPECT_EQ(check_named("FileCheck").detail, "FileCheck was not found");
  EXPECT_TRUE(check_named("cache").ok);

  const std::string llvm = "[ \"$1\" = --version ] && { echo 'LLVM version 14.0.6'; exit 0; }\n";
  fake("FileCheck", llvm + "exit 0\n");
  EXPECT_EQ(check_named("FileCheck").detail, "matches what it should not match");
  fake("FileCheck", llvm + "exit 1\n");
  EXPECT_EQ(check_named("FileCheck").detail, "does not match what it should match");
  fake("FileCheck", llvm + "case $1 in *yes) exit 0;; *) exit 1;; esac\n");
  EXPECT_NE(check_named("FileCheck").detail.find("a clone"), std::string::npos);
  fake("FileCheck", "echo 'FileCheck 0.0.24'\n");
  EXPECT_NE(check_named("FileCheck").detail.find("may be a clone"), std::string::npos);
  fake("lit", "[ \"$1\" = --version ] && { echo 'lit 18.1.8'; exit 0; }\nexit 0\n");
  EXPECT_EQ(check_named("lit").detail, "passes a test that must fail");
}

// With the real tools.

class toolchain_real_test : public testing::Test {
 protected:
  void SetUp() override {
    for (const tool* one : {&tools_.nvcc, &tools_.ptxas, &tools_.nvdisasm, &tools_.cuobjdump}) {
      if (!one->usable()) GTEST_SKIP() << one->problem;
    }
    write_file(source_, kernel_source);
  }
  std::string failure(const std::string& name, const std::string& content,
                      const std::string& arch = "sm_90",
                      const std::vector<std::string>& flags = {}) const {
    const auto file = folder_.path() / name;
    write_file(file, content);
    std::string text =
        build_all(tools_, {}, {{.file = file, .arch = arch, .nvcc_flags = flags}})[0].failure;
    const std::string prefix = folder_.path().string() + "/";
    for (std::size_t at; (at = text.find(prefix)) != std::string::npos;) {
      text.erase(at, prefix.size());
    }
    EXPECT_EQ(text.find("/tmp/ptxlab-"), std::string::npos) << text;
    return text;
  }

  temporary_folder folder_;
  toolset tools_ = find_toolset(places::of(own_executable()));
  fs::path source_ = folder_.path() / "k.cu";
};

TEST_F(toolchain_real_test, builds_a_source_and_its_own_products_again) {
  const build made =
      build_one(tools_, {}, {.file = source_, .arch = "sm_90", .nvcc_flags = {}}).at(0);
  for (const product* one : {&made.ptx, &made.unoptimised_ptx, &made.cubin, &made.ptxas_log,
                             &made.sass_json, &made.sass_text, &made.resource_usage}) {
    EXPECT_TRUE(one->text) << one->problem;
  }
  EXPECT_NE(made.ptx.text->find(".entry store"), std::string::npos);
  EXPECT_NE(made.unoptimised_ptx.text->find(".loc"), std::string::npos);
  EXPECT_NE(made.ptxas_log.text->find("Used "), std::string::npos);
  EXPECT_TRUE(nlohmann::json::accept(*made.sass_json.text));
  EXPECT_NE(made.sass_text.text->find("line 2"), std::string::npos) << "no source lines";
  EXPECT_NE(made.resource_usage.text->find("Function store"), std::string::npos);
  EXPECT_TRUE(holds_code(*made.cubin.text));

  const auto ptx = folder_.path() / "k.ptx", cubin = folder_.path() / "k.cubin";
  write_file(ptx, *made.ptx.text);
  write_file(cubin, *made.cubin.text);
  const auto from_ptx = build_one(tools_, {}, {.file = ptx, .arch = "", .nvcc_flags = {}}).at(0);
  EXPECT_EQ(from_ptx.arch, "sm_90");
  EXPECT_EQ(from_ptx.sass_json.text, made.sass_json.text);
  const auto from_cubin =
      build_one(tools_, {}, {.file = cubin, .arch = "", .nvcc_flags = {}}).at(0);
  EXPECT_EQ(from_cubin.arch, "sm_90");
  EXPECT_EQ(from_cubin.sass_json.text, made.sass_json.text);
  EXPECT_FALSE(from_cubin.ptx.text);
  toolset without = tools_;
  without.nvdisasm.problem = "not there";
  const auto undisassembled =
      build_one(without, {}, {.file = cubin, .arch = "", .nvcc_flags = {}}).at(0);
  EXPECT_EQ(undisassembled.arch, "sm_90") << "cuobjdump tells it, too";
  EXPECT_EQ(undisassembled.sass_json.problem, "not there");
  EXPECT_EQ(build_all(tools_, {}, {{.file = cubin, .arch = "sm_80", .nvcc_flags = {}}})[0].failure,
            cubin.string() + ": the cubin is for sm_90, not for sm_80");
}

TEST_F(toolchain_real_test, flags_reach_the_compiler_they_are_for) {
  const auto built = [&](std::vector<std::string> flags) {
    return build_one(tools_, {}, {.file = source_, .arch = "sm_90", .nvcc_flags = std::move(flags)})
        .at(0);
  };
  const build plain = built({}), weak = built({"-Xptxas", "-O0"});
  EXPECT_EQ(weak.ptx.text, plain.ptx.text) << "-Xptxas must not change the PTX";
  EXPECT_GT(weak.sass_json.text->size(), plain.sass_json.text->size()) << "ptxas -O0 had no effect";
  EXPECT_NE(failure("k.cu", kernel_source, "sm_90", {"-Xptxas", "-g"}).find("is not taken"),
            std::string::npos);
}

TEST_F(toolchain_real_test, containers_give_one_build_per_architecture) {
  const auto fat = folder_.path() / "k.fatbin";
  const outcome done =
      run({.argv = {tools_.nvcc.path.string(), "-fatbin", "-gencode", "arch=compute_80,code=sm_80",
                    "-gencode", "arch=compute_90,code=[sm_90,compute_90]", source_.string(), "-o",
                    fat.string()}});
  ASSERT_TRUE(done.ok()) << done.err;
  const auto all = build_one(tools_, {}, {.file = fat, .arch = "", .nvcc_flags = {}});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].arch, "sm_80");
  EXPECT_FALSE(all[0].ptx.text);
  EXPECT_EQ(all[1].arch, "sm_90");
  EXPECT_TRUE(all[1].ptx.text);
  EXPECT_TRUE(all[1].sass_json.text);
  const auto later = build_one(tools_, {}, {.file = fat, .arch = "sm_100", .nvcc_flags = {}});
  ASSERT_EQ(later.size(), 1U);
  EXPECT_EQ(later[0].notes.size(), 1U) << "it must say that it was assembled here";
  const auto none = build_all(tools_, {}, {{.file = fat, .arch = "sm_75", .nvcc_flags = {}}})[0];
  EXPECT_EQ(none.failure,
            fat.string() + ": no code for sm_75 in it; it holds sm_80 sm_90 sm_90 (PTX)");
  const auto host = build_all(tools_, {}, {{.file = "/bin/sh", .arch = "", .nvcc_flags = {}}})[0];
  EXPECT_EQ(host.failure, "/bin/sh: no device code in it");
}

TEST_F(toolchain_real_test, bad_input_gets_its_cause) {
  EXPECT_EQ(failure("a.cu", "__global__ void k(int *p) { *p = x; }\n"),
            "a.cu(1): error: identifier \"x\" is undefined");
  EXPECT_EQ(failure("a.cu", "#include \"nothere.h\"\n"),
            "a.cu:1:10: fatal error: nothere.h: No such file or directory");
  EXPECT_EQ(
      failure("a.cu", "\n__global__ void k() { asm volatile(\"foo.bar;\"); }\n").substr(0, 40),
      "a.cu:2: ptxas: Unknown modifier '.bar' (");
  EXPECT_NE(failure("a.cu", kernel_source, "sm_33").find("unknown architecture 'sm_33'; nvcc"),
            std::string::npos);
  const build made =
      build_one(tools_, {}, {.file = source_, .arch = "sm_90", .nvcc_flags = {}}).at(0);
  EXPECT_EQ(failure("a.ptx", *made.ptx.text, "sm_80"),
            "a.ptx: PTX for sm_90 cannot be assembled for the older sm_80");
  EXPECT_NE(failure("a.ptx", ".version 99.0\n.target sm_90\n").find("PTX version 99.0 is newer"),
            std::string::npos);
  EXPECT_EQ(failure("a.ptx", ".version 8.0\n.target sm_90a\n.address_size 64\n", "sm_100"),
            "a.ptx: PTX for sm_90a is architecture-specific: it can be assembled for sm_90a only, "
            "not for sm_100");
  EXPECT_EQ(failure("a.ptx", ".version 8.0\n.target sm_90\nfoo\n").substr(0, 15),
            "a.ptx:3: ptxas:");
  std::string broken = *made.cubin.text;
  for (std::size_t i = 64; i < broken.size(); ++i) broken[i] = static_cast<char>(i * 37);
  EXPECT_NE(failure("a.cubin", broken, ""), "");
}

TEST_F(toolchain_real_test, headers_are_part_of_the_key) {
  const cache store(folder_.path() / "cache");
  const auto header = folder_.path() / "h.h";
  write_file(header, "#define N 1\n");
  write_file(source_, "#include \"h.h\"\nextern \"C\" __global__ void store(int *p) { *p = N; }\n");
  const auto built = [&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return build_one(tools_, store,
                     {.file = source_, .arch = "sm_90", .nvcc_flags = {}, .unoptimised = false})
        .at(0);
  };
  const build first = built(), second = built();
  EXPECT_TRUE(second.timings.at(0).cached);
  write_file(header, "#define N 2\n");
  const build third = built();
  EXPECT_FALSE(third.timings.at(0).cached);
  EXPECT_NE(third.ptx.text, first.ptx.text);
}

TEST_F(toolchain_real_test, the_path_of_a_compiler_is_part_of_the_key) {
  const cache store(folder_.path() / "cache");
  // The same toolkit under another name: what it writes names its headers otherwise.
  fs::create_directory_symlink(fs::absolute(tools_.nvcc.path).parent_path().parent_path(),
                               folder_.path() / "other");
  toolset other = tools_;
  other.nvcc.path = folder_.path() / "other" / "bin" / "nvcc";
  const auto cached = [&](const toolset& tools) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return build_one(tools, store,
                     {.file = source_, .arch = "sm_90", .nvcc_flags = {}, .unoptimised = false})
        .at(0)
        .timings.at(0)
        .cached;
  };
  EXPECT_FALSE(cached(tools_));
  EXPECT_FALSE(cached(other));
  EXPECT_TRUE(cached(other));
  EXPECT_TRUE(cached(tools_));
}

TEST_F(toolchain_real_test, doctor_finds_the_compilers_working) {
  const auto checks = doctor(places::of(own_executable()), folder_.path() / "cache");
  ASSERT_EQ(checks.size(), 9U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_TRUE(checks[i].ok) << checks[i].detail;
  for (const check& one : checks) {
    EXPECT_FALSE(one.detail.empty()) << one.name;
    EXPECT_FALSE(one.lost_without.empty()) << one.name;
    EXPECT_FALSE(one.how_to_get.empty()) << one.name;
  }
}

}  // namespace
