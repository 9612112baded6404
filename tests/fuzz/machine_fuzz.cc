// SPDX-License-Identifier: Apache-2.0
// libFuzzer entry: PTX on the machine. Mutates whole lines and operands, so that most of what comes
// of valid PTX is valid PTX again.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/machine.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace {

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '%' || c == '_' || c == '$';
}

/// Words of a line from `begin` on that look like operands.
std::vector<std::pair<std::size_t, std::size_t>> operands(const std::string& line) {
  std::vector<std::pair<std::size_t, std::size_t>> out;
  const std::size_t first = line.find_first_not_of(" \t");
  std::size_t at = line.find_first_of(" \t", first == line.npos ? 0 : first);
  while (at < line.size()) {
    while (at < line.size() && !is_name(line[at])) ++at;
    std::size_t end = at;
    while (end < line.size() && is_name(line[end])) ++end;
    if (end > at) out.emplace_back(at, end - at);
    at = end;
  }
  return out;
}

class mutator {
 public:
  mutator(std::string text, unsigned seed) : random_(seed) {
    std::size_t begin = 0;
    while (begin < text.size()) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  std::string run() {
    for (unsigned n = 1 + draw(3); n-- > 0 && !lines_.empty();) once();
    std::string out;
    for (const std::string& l : lines_) out += l + "\n";
    return out;
  }

 private:
  std::size_t draw(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  void once() {
    const std::size_t i = draw(lines_.size()), j = draw(lines_.size());
    const auto at = [&](std::size_t k) { return lines_.begin() + static_cast<std::ptrdiff_t>(k); };
    switch (draw(6)) {
      case 0:
        lines_.insert(at(j), std::string(lines_[i]));
        return;
      case 1:
        lines_.erase(at(i));
        return;
      case 2:
        std::swap(lines_[i], lines_[j]);
        return;
      case 3:
        return swap_opcode(lines_[i], lines_[j]);
      default:
        return swap_operand(lines_[i], lines_[j]);
    }
  }
  /// The operand of one line in the place of another's, of the same kind where there is one.
  void swap_operand(std::string& to, const std::string& from) {
    const auto into = operands(to), out_of = operands(from);
    if (into.empty() || out_of.empty()) return;
    const auto [at, length] = into[draw(into.size())];
    for (std::size_t tries = 0; tries < 8; ++tries) {
      const auto [begin, size] = out_of[draw(out_of.size())];
      if (to.compare(at, 2, from, begin, 2) != 0 && tries < 7) continue;
      to.replace(at, length, from.substr(begin, size));
      return;
    }
  }
  void swap_opcode(std::string& to, const std::string& from) {
    const auto opcode = [](const std::string& l) {
      const std::size_t begin = l.find_first_not_of(" \t");
      if (begin == l.npos) return std::pair<std::size_t, std::size_t>{0, 0};
      const std::size_t end = std::min(l.find_first_of(" \t;", begin), l.size());
      return std::pair{begin, end - begin};
    };
    const auto [at, length] = opcode(to);
    const auto [begin, size] = opcode(from);
    if (length != 0 && size != 0) to.replace(at, length, from.substr(begin, size));
  }

  std::vector<std::string> lines_;
  std::mt19937 random_;
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  if (seed % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  const std::string text = mutator({reinterpret_cast<const char*>(data), size}, seed).run();
  const std::size_t n = std::min(text.size(), most);
  std::memcpy(data, text.data(), n);
  return n;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ptxlab::fuzz::machine_target({reinterpret_cast<const char*>(data), size});
  return 0;
}
