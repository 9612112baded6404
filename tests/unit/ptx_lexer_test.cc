// SPDX-License-Identifier: Apache-2.0
// Tokens of PTX text, of both dialects and of what nobody should write.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ptx/text/lexer.hpp"

namespace ptxlab::ptx {
namespace {

// Kind and text of every token: "w:add.s32 p:, n:4 s:text <asm asm>".
std::string tokens(std::string_view source) {
  std::string out;
  lexer l(source);
  for (token t = l.next(); t.kind != token_kind::end; t = l.next()) {
    if (!out.empty()) out += ' ';
    switch (t.kind) {
      case token_kind::word:
        out += "w:";
        break;
      case token_kind::number:
        out += "n:";
        break;
      case token_kind::string:
        out += "s:";
        break;
      case token_kind::asm_begin:
        out += "<asm";
        continue;
      case token_kind::asm_end:
        out += "asm>";
        continue;
      default:
        out += "p:";
        break;
    }
    out += t.text;
  }
  return out;
}

TEST(ptx_lexer, splits_instructions) {
  EXPECT_EQ(tokens("@!%p1 bra $L__BB0_2;"), "p:@ p:! w:%p1 w:bra w:$L__BB0_2 p:;");
  EXPECT_EQ(tokens("ld.global.v2.u32 {%r1,%r2},[%rd1+-8];"),
            "w:ld.global.v2.u32 p:{ w:%r1 p:, w:%r2 p:} p:, p:[ w:%rd1 p:+ p:- n:8 p:] p:;");
  EXPECT_EQ(tokens("shfl.sync.down.b32 %r5|%p2,%r1,1,31,-1;"),
            "w:shfl.sync.down.b32 w:%r5 p:| w:%p2 p:, w:%r1 p:, n:1 p:, n:31 p:, p:- n:1 p:;");
}

TEST(ptx_lexer, knows_names_with_colons) {
  EXPECT_EQ(tokens("st.async.shared::cluster.b32 ld.global.L2::128B.u8"),
            "w:st.async.shared::cluster.b32 w:ld.global.L2::128B.u8");
  EXPECT_EQ(tokens("label:add.s32"), "w:label p:: w:add.s32") << "one colon ends a label";
  EXPECT_EQ(tokens("a::"), "w:a p:: p::") << "nothing follows";
}

TEST(ptx_lexer, knows_numbers) {
  EXPECT_EQ(tokens("12 0x1F 0b101 7U 0f3F800000 0d3FF0000000000000 1.5 9.0"),
            "n:12 n:0x1F n:0b101 n:7U n:0f3F800000 n:0d3FF0000000000000 n:1.5 n:9.0");
  EXPECT_EQ(tokens("1.5e-3+2"), "n:1.5e-3 p:+ n:2");
  EXPECT_EQ(tokens("0x1e-3"), "n:0x1e p:- n:3") << "a subtraction, not an exponent";
  EXPECT_EQ(tokens("%r1<200>"), "w:%r1 p:< n:200 p:>");
}

TEST(ptx_lexer, skips_comments_and_line_markers) {
  EXPECT_EQ(tokens("a // b ; c\nd /* e\n f */ g"), "w:a w:d w:g");
  EXPECT_EQ(tokens("# 12 \"x.ptx\"\na # b"), "w:a p:# w:b") << "a marker starts its line";
  EXPECT_EQ(tokens("a /* never closed"), "w:a");
  EXPECT_EQ(tokens("a /*/ b */ c"), "w:a w:c");
  EXPECT_EQ(tokens("a/"), "w:a p:/");
}

TEST(ptx_lexer, keeps_the_marks_of_inline_asm) {
  EXPECT_EQ(tokens("a\n\t// begin inline asm\n\tb;\n\t// end inline asm\nc"),
            "w:a <asm w:b p:; asm> w:c");
  EXPECT_EQ(tokens("// begin inline asm\r\nb\r\n// end inline asm\r\n"), "<asm w:b asm>")
      << "a file from Windows";
  EXPECT_EQ(tokens("// begin inline asm, or so\na"), "w:a");
}

TEST(ptx_lexer, reads_strings) {
  EXPECT_EQ(tokens(".file 1 \"/a b/c.cu\""), "w:.file n:1 s:/a b/c.cu");
  EXPECT_EQ(tokens("\"a\\\"b\" c"), "s:a\\\"b w:c");
  EXPECT_EQ(tokens("\"no end\nb"), "s:no end w:b") << "a string ends with its line";
  EXPECT_EQ(tokens("\""), "s:");
}

TEST(ptx_lexer, counts_lines) {
  lexer l("a\n/* \n\n */ b // c\n\"s\"\n\n;");
  std::vector<std::uint32_t> lines;
  for (token t = l.next(); t.kind != token_kind::end; t = l.next()) lines.push_back(t.line);
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{1, 4, 5, 7}));
}

TEST(ptx_lexer, says_end_for_ever_and_takes_any_byte) {
  lexer empty("");
  EXPECT_EQ(empty.next().kind, token_kind::end);
  EXPECT_EQ(empty.next().kind, token_kind::end);
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  lexer l(all);
  std::size_t characters = 0;
  for (token t = l.next(); t.kind != token_kind::end; t = l.next()) {
    ASSERT_GE(t.text.data(), all.data());
    ASSERT_LE(t.text.data() + t.text.size(), all.data() + all.size());
    characters += t.text.size();
  }
  // All but blanks, the quote, and the rest of its "string" up to the end are tokens.
  EXPECT_GT(characters, 240u);
}

}  // namespace
}  // namespace ptxlab::ptx
