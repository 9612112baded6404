// SPDX-License-Identifier: Apache-2.0
#include "driver/run/expression.hpp"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

#include "analysis/verdict/nearest.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::run {
namespace {

/// A value in both arithmetics; the type of the compared buffer says which of them counts.
struct value {
  std::int64_t whole = 0;
  double real = 0;
};

value value_of(const argument& a, std::uint64_t i) {
  const element_bits b = a.initial(i);
  value v;
  v.real = element_value(a.of, b);
  if (machine::is_floating(a.of)) {
    v.whole = static_cast<std::int64_t>(element_of(type::s64, v.real));
  } else {
    const unsigned unused = machine::is_signed(a.of) ? 64 - machine::bits(a.of) : 0;
    v.whole = static_cast<std::int64_t>(b << unused) >> unused;
  }
  return v;
}

std::int64_t wrapped(std::uint64_t v) {
  return static_cast<std::int64_t>(v);
}

}  // namespace

struct expression::node {
  char what = 'k';  ///< k constant, i, n, [ element, s S a x reductions and abs, operators
  value number;
  const argument* buffer = nullptr;
  std::unique_ptr<node> left, right;

  value at(std::uint64_t i, std::uint64_t n) const {
    switch (what) {
      case 'k':
        return number;
      case 'i':
        return {wrapped(i), static_cast<double>(i)};
      case 'n':
        return {wrapped(n), static_cast<double>(n)};
      case '[': {
        const std::int64_t k = left->at(i, n).whole;
        if (k < 0 || static_cast<std::uint64_t>(k) >= buffer->count)
          throw error(fmt::format("{}[{}]: it has {} elements", buffer->name, k, buffer->count));
        return value_of(*buffer, static_cast<std::uint64_t>(k));
      }
      case 'a': {
        const value v = left->at(i, n);
        return {v.whole < 0 ? wrapped(0 - static_cast<std::uint64_t>(v.whole)) : v.whole,
                std::abs(v.real)};
      }
      default:
        return binary(left->at(i, n), right->at(i, n));
    }
  }

  value binary(const value& a, const value& b) const {
    const auto x = static_cast<std::uint64_t>(a.whole), y = static_cast<std::uint64_t>(b.whole);
    switch (what) {
      case '+':
        return {wrapped(x + y), a.real + b.real};
      case '-':
        return {wrapped(x - y), a.real - b.real};
      case '*':
        return {wrapped(x * y), a.real * b.real};
      case '/':
        return {quotient(a.whole, b.whole), a.real / b.real};
      default:
        return {remainder(a.whole, b.whole), std::fmod(a.real, b.real)};
    }
  }

  // Both arithmetics are always computed: the one that does not count must not fail.
  static std::int64_t quotient(std::int64_t a, std::int64_t b) {
    if (b == 0) return 0;
    return b == -1 ? wrapped(0 - static_cast<std::uint64_t>(a)) : a / b;
  }
  static std::int64_t remainder(std::int64_t a, std::int64_t b) {
    return b == 0 || b == -1 ? 0 : a % b;
  }
};

namespace {

class formula_parser {
 public:
  using node = expression::node;
  using pointer = std::unique_ptr<node>;

  formula_parser(std::string_view text, const std::vector<const argument*>& buffers)
      : text_(text), buffers_(buffers) {}

  pointer run() {
    pointer p = sum();
    if (skip() != '\0') fail();
    return p;
  }

 private:
  static constexpr int deepest = 100;

  [[noreturn]] void fail() const {
    throw error(fmt::format("'{}' is no formula: at '{}'", text_, text_.substr(at_)));
  }
  char skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void expect(char c) {
    if (skip() != c) fail();
    ++at_;
  }
  static pointer made(char what, pointer left, pointer right = {}) {
    auto p = std::make_unique<node>();
    p->what = what;
    p->left = std::move(left);
    p->right = std::move(right);
    return p;
  }

  pointer sum() {
    if (++depth_ > deepest) fail();
    pointer p = product();
    for (char c = skip(); c == '+' || c == '-'; c = skip()) {
      ++at_;
      p = made(c, std::move(p), product());
    }
    --depth_;
    return p;
  }
  pointer product() {
    pointer p = factor();
    for (char c = skip(); c == '*' || c == '/' || c == '%'; c = skip()) {
      ++at_;
      p = made(c, std::move(p), factor());
    }
    return p;
  }
  pointer factor() {
    const char c = skip();
    if (c == '-') {
      ++at_;
      if (++depth_ > deepest) fail();
      pointer p = made('-', made('k', {}), factor());
      --depth_;
      return p;
    }
    if (c == '(') {
      ++at_;
      pointer p = sum();
      expect(')');
      return p;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_') return named();
    fail();
  }
  pointer number() {
    pointer p = made('k', {});
    const char* const from = text_.data() + at_;
    const char* const end = text_.data() + text_.size();
    const auto [rest, ec] = std::from_chars(from, end, p->number.real);
    if (ec != std::errc()) fail();
    const auto [whole, ec2] = std::from_chars(from, end, p->number.whole);
    if (ec2 != std::errc() || whole != rest)
      p->number.whole = static_cast<std::int64_t>(element_of(type::s64, p->number.real));
    at_ = static_cast<std::size_t>(rest - text_.data());
    return p;
  }
  std::string word() {
    const std::size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(from, at_ - from));
  }
  pointer named() {
    const std::string w = word();
    const char next = skip();
    if (next == '[') {
      ++at_;
      pointer p = made('[', {});
      p->buffer = buffer(w);
      p->left = sum();
      expect(']');
      return p;
    }
    if (next == '(') return call(w);
    if (w == "i" || w == "n") return made(w[0], {});
    throw error(
        fmt::format("'{}': '{}' is neither i nor n; write NAME[i] for an element", text_, w));
  }
  pointer call(const std::string& w) {
    expect('(');
    if (w == "abs") {
      pointer p = made('a', sum());
      expect(')');
      return p;
    }
    if (w != "sum" && w != "min" && w != "max")
      throw error(fmt::format("'{}': no function '{}': sum, min, max, abs", text_, w));
    skip();
    const argument& b = *buffer(word());
    expect(')');
    pointer p = made('k', {});
    p->number = reduced(w, b);
    return p;
  }
  static value reduced(const std::string& w, const argument& b) {
    value out;
    for (std::uint64_t i = 0; i < b.count; ++i) {
      const value v = value_of(b, i);
      if (w == "sum") {
        out.whole =
            wrapped(static_cast<std::uint64_t>(out.whole) + static_cast<std::uint64_t>(v.whole));
        out.real += v.real;
      } else if (i == 0 || (w == "min" ? v.real < out.real : v.real > out.real)) {
        out = v;
      }
    }
    return out;
  }
  const argument* buffer(const std::string& w) const {
    std::vector<std::string> names;
    for (const argument* a : buffers_) {
      if (a->name == w) return a;
      names.push_back(a->name);
    }
    throw error(fmt::format("'{}': no buffer '{}'{}", text_, w, verdict::suggestion(w, names)));
  }

  std::string_view text_;
  const std::vector<const argument*>& buffers_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

expression::expression(std::string_view text, type of, const std::vector<const argument*>& buffers)
    : of_(of), root_(formula_parser(text, buffers).run()) {}
expression::expression(expression&&) noexcept = default;
expression::~expression() = default;

element_bits expression::at(std::uint64_t i, std::uint64_t n) const {
  const value v = root_->at(i, n);
  return machine::is_floating(of_) ? element_of(of_, v.real) : element_of(of_, v.whole);
}

}  // namespace ptxlab::run
