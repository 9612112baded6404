// SPDX-License-Identifier: Apache-2.0
// Flags, compiler messages and kinds of input. The messages are what nvcc and ptxas 13.0.88 and
// g++ 12 print; paths are made up.
#include <gtest/gtest.h>

#include "analysis/toolchain/flags.hpp"
#include "analysis/toolchain/image.hpp"
#include "analysis/toolchain/message.hpp"
#include "ptx/text/error.hpp"

namespace {

using namespace ptxlab::toolchain;
using words = std::vector<std::string>;

template <typename F>
std::string message_of(F attempt) {
  try {
    attempt();
  } catch (const ptxlab::error& problem) {
    return problem.what();
  }
  return "no error";
}

// Expectations from `sh -c 'printf "[%s]" WORDS'`.
TEST(toolchain_flags_test, splits_as_a_shell_does) {
  EXPECT_EQ(split_flags("  -a\t-b\n"), (words{"-a", "-b"}));
  EXPECT_EQ(split_flags("-DX='a b' -DY=\"c \\\"d\" e\\ f"), (words{"-DX=a b", "-DY=c \"d", "e f"}));
  EXPECT_EQ(split_flags("'' \"\" a''b"), (words{"", "", "ab"}));
  EXPECT_EQ(split_flags("'\\' \"\\n\""), (words{"\\", "\\n"}));
  EXPECT_EQ(split_flags("$HOME `x` *"), (words{"$HOME", "`x`", "*"})) << "nothing is expanded";
  EXPECT_TRUE(split_flags("").empty());
  EXPECT_THROW(split_flags("'a"), ptxlab::error);
  EXPECT_THROW(split_flags("a \"b\\\""), ptxlab::error);
}

TEST(toolchain_flags_test, refuses_what_changes_the_question) {
  for (const char* flag : {"-G", "--device-debug", "-o", "-ptx", "-arch=sm_80", "-gencode", "-c",
                           "--gpu-architecture=sm_80", "-MD", "--keep", "-code"}) {
    EXPECT_THROW(check_flags({"-O2", flag}), ptxlab::error) << flag;
  }
  EXPECT_EQ(message_of([] { check_flags({"-arch=sm_80"}); }),
            "compiler flag -arch=sm_80 is not taken: give the architecture with --arch");
  EXPECT_THROW(check_flags({"other.cu"}), ptxlab::error);
  for (const words& flags :
       {words{"-maxrregcount", "32", "-use_fast_math"}, words{"-Xptxas", "-O1,-v"},
        words{"-Xcompiler", "-c"}, words{"-I", "x.cu"}, words{"-include", "a.cu"},
        words{"-rdc=true", "-std=c++20", "-g", "-lineinfo"}, words{}}) {
    EXPECT_NO_THROW(check_flags(flags));
  }
}

TEST(toolchain_flags_test, options_files_are_noticed) {
  EXPECT_TRUE(reads_options_file({"-optf", "x"}));
  EXPECT_TRUE(reads_options_file({"--options-file=x"}));
  EXPECT_FALSE(reads_options_file({"-O2"}));
}

TEST(toolchain_flags_test, takes_ptxas_options_from_a_dry_run) {
  const std::string dryrun =
      "#$ PTXAS_FLAGS=\n"
      "#$ \"$CICC_PATH/cicc\" -maxreg 20 -o \"/tmp/t/a.ptx\"\n"
      "#$ ptxas -split-compile=0 -arch=sm_90 -m64 --Ofast-compile=max -v --warn-on-spills -O2  "
      "-maxrregcount=20 --generate-line-info --compile-only \"/tmp/t/a.ptx\"  -o \"/dev/null\" \n";
  EXPECT_EQ(ptxas_flags_of_dryrun(dryrun),
            (words{"-split-compile=0", "--Ofast-compile=max", "--warn-on-spills", "-O2",
                   "-maxrregcount=20", "--compile-only"}));
  EXPECT_TRUE(ptxas_flags_of_dryrun("").empty());
  EXPECT_TRUE(ptxas_flags_of_dryrun("nothing of the kind\n#$ fatbinary ptxas\n").empty());
  EXPECT_THROW(ptxas_flags_of_dryrun("#$ ptxas -arch=sm_90 -m64  -g \"a.ptx\" -o \"b\"\n"),
               ptxlab::error);
}

TEST(toolchain_message_test, keeps_first_error_lines_only) {
  std::string printed =
      "/w/a.cu(1): warning #177-D: variable \"x\" was declared but never referenced\n"
      "  __attribute__((global)) void k(int*p){ int x; }\n                ^\n\n";
  for (int i = 1; i <= 8; ++i) {
    printed += "/w/a.cu(" + std::to_string(i) +
               "): error: identifier \"y\" is undefined\n  *p = y;\n       ^\n\n";
  }
  printed += "8 errors detected in the compilation of \"/w/a.cu\".\n";
  std::string expected;
  for (int i = 1; i <= 6; ++i) {
    expected += "a.cu(" + std::to_string(i) + "): error: identifier \"y\" is undefined\n";
  }
  EXPECT_EQ(compiler_cause(printed, {{"/w/a.cu", "a.cu"}}), expected + "... and 2 more");
}

TEST(toolchain_message_test, knows_other_forms) {
  EXPECT_EQ(compiler_cause("bad.cu:1:10: fatal error: nothere.h: No such file or directory\n"
                           "    1 | #include \"nothere.h\"\n      |          ^~~~\n"
                           "compilation terminated.\n",
                           {}),
            "bad.cu:1:10: fatal error: nothere.h: No such file or directory");
  EXPECT_EQ(compiler_cause("nvcc fatal   : Unknown option '-foo'\n", {}),
            "nvcc fatal   : Unknown option '-foo'");
  EXPECT_EQ(compiler_cause("libnvvm : error: -opt defined more than once\n", {}),
            "libnvvm : error: -opt defined more than once");
  EXPECT_EQ(compiler_cause("\nsomething else\n\n", {}), "something else");
  EXPECT_EQ(compiler_cause("", {}), "");
}

TEST(toolchain_message_test, text_is_fit_for_a_terminal) {
  const std::string cause = compiler_cause("error: \x1b[31m" + std::string(5000, 'x'), {});
  EXPECT_EQ(cause.find('\x1b'), std::string::npos);
  EXPECT_LT(cause.size(), 500U);
}

constexpr const char* generated_ptx =
    ".version 9.0\n.target sm_90\n.entry k()\n{\n\t.loc\t1 7 3\n\tfoo.bar;\n\t.loc\t1 9 "
    "3\n\tret;\n}\n"
    "\t.file\t1 \"/w/src/a.cu\"\n";

TEST(toolchain_message_test, ptxas_lines_lead_to_the_source) {
  const std::string printed =
      "ptxas /tmp/x/a.ptx, line 6; error   : Unknown modifier '.bar'\n"
      "ptxas fatal   : Ptx assembly aborted due to errors\n";
  EXPECT_EQ(ptxas_cause(printed, generated_ptx, "a.cu", true),
            "/w/src/a.cu:7: ptxas: Unknown modifier '.bar' (line 6 of the PTX)");
  EXPECT_EQ(ptxas_cause(printed, generated_ptx, "/w/src/../src/a.cu", true),
            "/w/src/../src/a.cu:7: ptxas: Unknown modifier '.bar' (line 6 of the PTX)");
  EXPECT_EQ(ptxas_cause(printed, generated_ptx, "a.ptx", false),
            "a.ptx:6: ptxas: Unknown modifier '.bar'");
  EXPECT_EQ(ptxas_cause("ptxas error   : Entry function 'k' uses too much shared data\n",
                        generated_ptx, "a.cu", true),
            "a.cu: ptxas: Entry function 'k' uses too much shared data");
}

TEST(toolchain_message_test, explains_versions_and_architectures) {
  const std::string ptx = generated_ptx;
  const std::string specific = ".version 9.0\n.target sm_90a, debug\n";
  const std::string family = ".version 9.0\n.target sm_100f\n";
  EXPECT_EQ(
      ptxas_explanation("ptxas a.ptx, line 9; fatal   : Unsupported .version 9.9; current "
                        "version is '9.0'\n",
                        ptx, "sm_90", "13.0.88"),
      "PTX version 9.9 is newer than ptxas 13.0.88 reads (9.0 at most); take a newer toolkit");
  EXPECT_EQ(ptxas_explanation("ptxas fatal   : SM version specified by .target is higher than "
                              "default SM version assumed\n",
                              ptx, "sm_80", "13.0.88"),
            "PTX for sm_90 cannot be assembled for the older sm_80");
  EXPECT_EQ(ptxas_explanation("ptxas fatal   : Program with .target 'sm_90a' cannot be compiled to "
                              "future architecture\n",
                              specific, "sm_100", "13.0.88"),
            "PTX for sm_90a is architecture-specific: it can be assembled for sm_90a only, not for "
            "sm_100");
  EXPECT_EQ(
      ptxas_explanation("ptxas fatal   : Program with .target 'sm_100f' cannot be compiled to "
                        "different SM-family architecture\n",
                        family, "sm_120", "13.0.88"),
      "PTX for sm_100f is family-specific: it can be assembled for its family of "
      "architectures only, not for sm_120");
  EXPECT_EQ(ptxas_explanation("ptxas error   : anything else\n", ptx, "sm_90", "13.0.88"), "");
}

TEST(toolchain_message_test, reads_version_and_target) {
  const std::string ptx =
      "//\n// .target sm_10\n/* .target sm_20\n.target sm_30\n*/\n\n.version 8.1\n.target sm_90a, "
      "texmode_independent\n";
  EXPECT_EQ(ptx_target(ptx), "sm_90a");
  EXPECT_EQ(ptx_version(ptx), "8.1");
  EXPECT_EQ(ptx_target("no PTX\n"), "");
  EXPECT_EQ(ptx_version(""), "");
}

std::string elf(int machine, std::uint64_t sections_at, int count, std::size_t size) {
  std::string bytes(size, '\0');
  bytes.replace(0, 5,
                std::string("\x7f"
                            "ELF\x02",
                            5));
  const auto put = [&](std::size_t at, std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
  };
  put(18, static_cast<std::uint64_t>(machine), 2);
  put(40, sections_at, 8);
  put(58, 64, 2);
  put(60, static_cast<std::uint64_t>(count), 2);
  return bytes;
}

TEST(toolchain_image_test, kinds_are_told_from_the_content) {
  EXPECT_EQ(classify("a.cu", "int x;"), input_kind::cuda);
  EXPECT_EQ(classify("a.ptx", generated_ptx), input_kind::ptx);
  EXPECT_EQ(classify("noname", generated_ptx), input_kind::ptx);
  EXPECT_EQ(classify("a.cubin", elf(190, 64, 2, 192)), input_kind::cubin);
  EXPECT_EQ(classify("a.out", elf(190, 64, 2, 192)), input_kind::cubin);
  EXPECT_EQ(classify("a.out", elf(62, 64, 2, 192)), input_kind::container);
  EXPECT_EQ(classify("a.fatbin", "\x50\xed\x55\xba..."), input_kind::container);
  EXPECT_EQ(classify("a.a", "!<arch>\n..."), input_kind::container);
}

TEST(toolchain_image_test, bad_input_gets_one_line) {
  const auto reason = [](const char* path, const std::string& content) {
    return message_of([&] { classify(path, content); });
  };
  EXPECT_EQ(reason("a.cu", ""), "a.cu: the file is empty");
  EXPECT_EQ(reason("a.ptx", "print('x')\n"), "a.ptx: not PTX: no .version and .target directives");
  EXPECT_EQ(reason("a.ptx", std::string(generated_ptx) + std::string(1, '\0')),
            "a.ptx: not PTX: no .version and .target directives");
  EXPECT_EQ(reason("a.cubin", "random"), "a.cubin: not a cubin: it is no ELF file");
  EXPECT_EQ(reason("a.cubin", elf(190, 64, 2, 191)),
            "a.cubin: truncated: 191 bytes, its section table ends at 192");
  EXPECT_EQ(reason("a.cubin", elf(190, ~std::uint64_t{0}, 2, 192)),
            "a.cubin: truncated: 192 bytes, its section table ends at 18446744073709551615");
  EXPECT_EQ(reason("a.cubin", elf(190, 64, 2, 192).substr(0, 20)),
            "a.cubin: truncated: an ELF file of 20 bytes");
  EXPECT_EQ(reason("a.cubin",
                   "\x7f"
                   "ELF"),
            "a.cubin: truncated: an ELF file of 4 bytes");
  EXPECT_EQ(reason("a.o", "random"), "a.o: neither a fat binary nor an ELF file");
  EXPECT_EQ(reason("a.cu", std::string("int\0x", 5)), "a.cu: not source text: it holds zero bytes");
  EXPECT_NE(reason("a.txt", "random").find("unknown kind of file"), std::string::npos);
}

TEST(toolchain_image_test, empty_cubins_are_told_apart) {
  EXPECT_TRUE(holds_code(std::string("\0.shstrtab\0.text.kernel\0", 24)));
  EXPECT_FALSE(holds_code(std::string("\0.shstrtab\0.text\0", 17)));
}

}  // namespace
