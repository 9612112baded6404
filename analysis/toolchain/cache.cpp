// SPDX-License-Identifier: Apache-2.0
// One file per entry: a line with format name and checksum, a JSON line with names and sizes, then
// the bytes. A manifest is an entry too: it lists dependency sets and the result each leads to.
#include "analysis/toolchain/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::toolchain {
namespace {

constexpr std::string_view format_name = "ptxlab-cache-1";
// Dependency sets remembered per command: enough to go back and forth between a few branches.
constexpr std::size_t max_alternatives = 16;

std::string pack(const record& value) {
  nlohmann::json head = nlohmann::json::object();
  std::string bytes;
  for (const auto& [name, content] : value) {
    head[name] = content.size();
    bytes += content;
  }
  const std::string body = head.dump() + "\n" + bytes;
  return fmt::format("{} {}\n{}", format_name, digest_of(body).hex(), body);
}

std::optional<record> unpack(std::string_view text) {
  const auto first = text.find('\n');
  if (first == std::string_view::npos) return std::nullopt;
  const std::string_view body = text.substr(first + 1);
  if (text.substr(0, first) != fmt::format("{} {}", format_name, digest_of(body).hex())) {
    return std::nullopt;
  }
  const auto second = body.find('\n');
  if (second == std::string_view::npos) return std::nullopt;
  const auto head = nlohmann::json::parse(body.substr(0, second), nullptr, false);
  if (!head.is_object()) return std::nullopt;
  record value;
  std::size_t at = second + 1;
  for (const auto& [name, size] : head.items()) {
    if (!size.is_number_unsigned() || size.get<std::size_t>() > body.size() - at) {
      return std::nullopt;
    }
    value[name] = body.substr(at, size.get<std::size_t>());
    at += size.get<std::size_t>();
  }
  return value;
}

std::int64_t nanoseconds(const timespec& time) {
  return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
}

// The later of content and status change, so that a file renamed into place counts as changed.
bool changed_since(const std::string& path, std::int64_t moment_ns) {
  struct stat info {};
  return stat(path.c_str(), &info) != 0 ||
         std::max(nanoseconds(info.st_mtim), nanoseconds(info.st_ctim)) >= moment_ns;
}

// [path, size, mtime, hash]: the hash is empty for a file known by time, the time 0 for all others
// (touching a file does not change it). Null if the file cannot be read.
nlohmann::json describe(const std::string& path, bool by_time) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return nullptr;
  if (by_time) return {path, info.st_size, nanoseconds(info.st_mtim), ""};
  try {
    return {path, info.st_size, 0, digest_of(read_file(path)).hex()};
  } catch (const error&) {
    return nullptr;
  }
}

bool unchanged(const nlohmann::json& file) {
  const bool known = file.is_array() && file.size() == 4 && file[0].is_string() &&
                     file[1].is_number_integer() && file[2].is_number_integer() &&
                     file[3].is_string();
  if (!known) return false;
  const auto path = file[0].get<std::string>();
  struct stat info {};
  // Spares reading a file whose size already tells it apart.
  if (stat(path.c_str(), &info) != 0 || info.st_size != file[1].get<std::int64_t>()) return false;
  return describe(path, file[3].get<std::string>().empty()) == file;
}

bool stands_below(const std::string& path, const std::vector<std::string>& folders) {
  // nvcc writes ".../bin/../targets/...", which is below the toolkit all the same.
  const std::string plain = std::filesystem::path(path).lexically_normal().string();
  return std::any_of(folders.begin(), folders.end(), [&](const auto& folder) {
    return !folder.empty() && (plain.starts_with(folder + "/") || path.starts_with(folder + "/"));
  });
}

digest result_key(const digest& key, const nlohmann::json& files) {
  return hasher().add("result").add(key.hex()).add(files.dump()).finish();
}

digest manifest_key(const digest& key) {
  return hasher().add("manifest").add(key.hex()).finish();
}

nlohmann::json read_manifest(const std::optional<record>& entry) {
  if (!entry || !entry->contains("alternatives")) return nlohmann::json::array();
  auto alternatives = nlohmann::json::parse(entry->at("alternatives"), nullptr, false);
  return alternatives.is_array() ? alternatives : nlohmann::json::array();
}

}  // namespace

cache::cache(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code code;
  std::filesystem::create_directories(folder_, code);
  if (code) {
    throw error(
        fmt::format("{}: cannot make the cache folder: {} (another: PTXLAB_CACHE; none: "
                    "--no-cache)",
                    folder_.string(), code.message()));
  }
  try {
    const auto probe = folder_ / fmt::format("probe-{}", getpid());
    write_file(probe, "");
    std::filesystem::remove(probe, code);
  } catch (const error& problem) {
    throw error(
        fmt::format("{}: the cache folder is not writable ({}) (another: PTXLAB_CACHE; "
                    "none: --no-cache)",
                    folder_.string(), problem.what()));
  }
}

std::filesystem::path cache::entry_path(const digest& key) const {
  const std::string name = key.hex();
  return folder_ / name.substr(0, 2) / name.substr(2);
}

std::optional<record> cache::find(const digest& key) const {
  if (!enabled()) return std::nullopt;
  try {
    return unpack(read_file(entry_path(key)));
  } catch (const error&) {
    return std::nullopt;
  }
}

void cache::store(const digest& key, const record& value) const {
  if (!enabled()) return;
  const auto path = entry_path(key);
  std::error_code code;
  std::filesystem::create_directories(path.parent_path(), code);
  write_file(path, pack(value));
}

std::optional<record> cache::find_with_files(const digest& key) const {
  const auto alternatives = read_manifest(find(manifest_key(key)));
  for (const auto& files : alternatives) {
    if (!files.is_array()) continue;
    if (!std::all_of(files.begin(), files.end(), unchanged)) continue;
    if (auto value = find(result_key(key, files))) return value;
  }
  return std::nullopt;
}

void cache::store_with_files(const digest& key, const std::vector<std::string>& files,
                             const std::vector<std::string>& trusted,
                             std::chrono::system_clock::time_point begun,
                             const record& value) const {
  if (!enabled()) return;
  const std::int64_t begun_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(begun.time_since_epoch()).count();
  nlohmann::json described = nlohmann::json::array();
  for (const auto& path : files) {
    // Gone, or changed meanwhile: what the compiler saw is not what stands there now.
    if (changed_since(path, begun_ns)) return;
    auto file = describe(path, stands_below(path, trusted));
    if (file.is_null()) return;
    described.push_back(std::move(file));
  }
  store(result_key(key, described), value);
  // Two writers at once: one alternative is lost and costs a compilation later, nothing else.
  auto alternatives = read_manifest(find(manifest_key(key)));
  nlohmann::json kept = nlohmann::json::array({described});
  for (const auto& other : alternatives) {
    if (kept.size() < max_alternatives && other != described) kept.push_back(other);
  }
  store(manifest_key(key), {{"alternatives", kept.dump()}});
}

std::filesystem::path cache::default_folder(const std::filesystem::path& executable) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const auto own = variable("PTXLAB_CACHE"); !own.empty()) return own;
  const auto folder = executable.parent_path();
  if (!folder.empty() && folder.filename() != "bin") return folder / "cache";
  if (const auto xdg = variable("XDG_CACHE_HOME"); !xdg.empty()) {
    return std::filesystem::path(xdg) / "ptxlab";
  }
  if (const auto home = variable("HOME"); !home.empty()) {
    return std::filesystem::path(home) / ".cache/ptxlab";
  }
  return {};
}

std::vector<std::string> parse_dependency_rule(std::string_view rule) {
  std::vector<std::string> words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  std::size_t at = 0;
  for (; at < rule.size(); ++at) {  // the target ends with a colon before a blank
    const bool blank_next =
        at + 1 >= rule.size() || std::isspace(static_cast<unsigned char>(rule[at + 1])) != 0;
    if (rule[at] == ':' && blank_next) break;
  }
  if (at >= rule.size()) return {};
  for (++at; at < rule.size(); ++at) {
    const char letter = rule[at];
    const char next = at + 1 < rule.size() ? rule[at + 1] : '\0';
    if (letter == '\\' && (next == '\n' || next == '\r')) {
      flush();
      at += rule.substr(at + 1, 2) == "\r\n" ? 2 : 1;
    } else if ((letter == '\\' && (next == ' ' || next == '#')) || (letter == '$' && next == '$')) {
      word += next;
      ++at;
    } else if (letter == '\n') {
      break;  // rules that -MP adds follow
    } else if (std::isspace(static_cast<unsigned char>(letter)) != 0) {
      flush();
    } else {
      word += letter;
    }
  }
  flush();
  return words;
}

}  // namespace ptxlab::toolchain
