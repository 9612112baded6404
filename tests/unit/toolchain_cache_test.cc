// SPDX-License-Identifier: Apache-2.0
// The cache: the same answer again, no answer after any change, and never a wrong one from damage.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>
#include <vector>

#include "analysis/toolchain/cache.hpp"
#include "analysis/toolchain/files.hpp"
#include "ptx/text/error.hpp"

namespace {

using namespace ptxlab::toolchain;
namespace fs = std::filesystem;
using clock_type = std::chrono::system_clock;

// A moment after everything written so far: file times lag behind by up to a timer tick.
clock_type::time_point after_now() {
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return clock_type::now();
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

// XXH3 128 of the empty input with seed 0, as the xxHash specification's reference program prints
// it (xxhsum -H2 on an empty file).
TEST(toolchain_digest_test, is_xxh3) {
  EXPECT_EQ(digest_of("").hex(), "99aa06d3014798d86001c324468d497f");
}

TEST(toolchain_digest_test, parts_are_kept_apart) {
  const auto of = [](std::vector<std::string> parts) {
    hasher hash;
    for (const auto& part : parts) hash.add(part);
    return hash.finish();
  };
  EXPECT_EQ(of({"ab", "c"}), of({"ab", "c"}));
  EXPECT_NE(of({"ab", "c"}), of({"a", "bc"}));
  EXPECT_NE(of({"ab"}), of({"ab", ""}));
}

class toolchain_cache_test : public testing::Test {
 protected:
  temporary_folder folder_;
  cache store_{folder_.path() / "cache"};
  digest key_ = digest_of("key");
  record value_ = {{"output", std::string("a\0\nb", 4)}, {"log", ""}};
};

TEST_F(toolchain_cache_test, gives_back_what_was_stored) {
  EXPECT_FALSE(store_.find(key_));
  store_.store(key_, value_);
  EXPECT_EQ(store_.find(key_), value_);
  EXPECT_FALSE(store_.find(digest_of("other")));
  EXPECT_EQ(cache(store_.folder()).find(key_), value_);
}

TEST_F(toolchain_cache_test, without_a_folder_it_holds_nothing) {
  const cache none;
  none.store(key_, value_);
  EXPECT_FALSE(none.enabled());
  EXPECT_FALSE(none.find(key_));
}

TEST_F(toolchain_cache_test, damage_is_a_miss) {
  store_.store(key_, value_);
  const auto files = entries_of(store_.folder());
  ASSERT_EQ(files.size(), 1U);
  const std::string good = read_file(files[0]);
  for (std::size_t length = 0; length < good.size(); ++length) {
    write_file(files[0], good.substr(0, length));
    EXPECT_FALSE(store_.find(key_)) << "cut to " << length;
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 1);
    write_file(files[0], bad);
    EXPECT_FALSE(store_.find(key_)) << "bit flipped at " << at;
  }
  write_file(files[0], good);
  EXPECT_EQ(store_.find(key_), value_);
}

TEST_F(toolchain_cache_test, finds_only_while_the_files_are_unchanged) {
  const auto header = folder_.path() / "a.h";
  write_file(header, "one");
  const std::vector<std::string> files = {header.string()};
  store_.store_with_files(key_, files, {}, after_now(), value_);
  EXPECT_EQ(store_.find_with_files(key_), value_);

  fs::last_write_time(header, fs::last_write_time(header) + std::chrono::hours(1));
  EXPECT_EQ(store_.find_with_files(key_), value_) << "touching is no change";

  write_file(header, "two");
  EXPECT_FALSE(store_.find_with_files(key_)) << "same size, other content";
  const record second = {{"output", "2"}, {"log", ""}};
  store_.store_with_files(key_, files, {}, after_now(), second);
  EXPECT_EQ(store_.find_with_files(key_), second);

  write_file(header, "one");
  EXPECT_EQ(store_.find_with_files(key_), value_) << "the first result is still known";
  fs::remove(header);
  EXPECT_FALSE(store_.find_with_files(key_));
}

TEST_F(toolchain_cache_test, trusted_files_are_known_by_time) {
  const auto toolkit = folder_.path() / "toolkit";
  fs::create_directory(toolkit);
  const auto header = toolkit / "t.h";
  write_file(header, "one");
  // As nvcc spells it.
  const std::string spelled = (toolkit / "bin/../t.h").string();
  fs::create_directory(toolkit / "bin");
  store_.store_with_files(key_, {spelled}, {toolkit.string()}, after_now(), value_);
  EXPECT_EQ(store_.find_with_files(key_), value_);
  fs::last_write_time(header, fs::last_write_time(header) + std::chrono::hours(1));
  EXPECT_FALSE(store_.find_with_files(key_));
}

TEST_F(toolchain_cache_test, a_file_changed_during_the_compilation_is_not_trusted) {
  const auto header = folder_.path() / "a.h";
  const auto begun = clock_type::now() - std::chrono::seconds(1);
  write_file(header, "edited meanwhile");
  store_.store_with_files(key_, {header.string()}, {}, begun, value_);
  EXPECT_FALSE(store_.find_with_files(key_));
  store_.store_with_files(key_, {(folder_.path() / "gone").string()}, {}, begun, value_);
  EXPECT_FALSE(store_.find_with_files(key_));
}

TEST_F(toolchain_cache_test, a_manifest_of_another_form_is_a_miss) {
  const auto header = folder_.path() / "a.h";
  write_file(header, "one");
  store_.store_with_files(key_, {header.string()}, {}, after_now(), value_);
  const digest manifest = hasher().add("manifest").add(key_.hex()).finish();
  ASSERT_TRUE(store_.find(manifest)) << "the test must overwrite the real manifest";
  for (const char* text : {"", "{", "[]", "[1]", "[[1]]", "[[[\"x\"]]]", "{\"a\":1}",
                           "[[[\"/\",-1,\"x\",3]]]", "null"}) {
    store_.store(manifest, {{"alternatives", text}});
    EXPECT_FALSE(store_.find_with_files(key_)) << text;
  }
}

TEST_F(toolchain_cache_test, writers_do_not_disturb_each_other) {
  const auto header = folder_.path() / "a.h";
  write_file(header, "one");
  const auto begun = after_now();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        store_.store(key_, value_);
        store_.store_with_files(key_, {header.string()}, {}, begun, value_);
        if (const auto found = store_.find(key_)) {
          EXPECT_EQ(*found, value_);
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(store_.find_with_files(key_), value_);
  for (const auto& file : entries_of(store_.folder())) {
    EXPECT_NE(file.extension(), ".tmp") << "left behind: " << file;
  }
}

TEST_F(toolchain_cache_test, a_folder_that_cannot_be_written_is_named) {
  const auto file = folder_.path() / "file";
  write_file(file, "");
  try {
    const cache refused(file / "cache");
    FAIL() << "no exception";
  } catch (const ptxlab::error& problem) {
    const std::string text = problem.what();
    EXPECT_TRUE(text.starts_with((file / "cache").string())) << text;
    EXPECT_NE(text.find("--no-cache"), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
  EXPECT_THROW(cache{"/proc/ptxlab"}, ptxlab::error);
}

TEST_F(toolchain_cache_test, default_folder_follows_variables_and_layout) {
  const auto with = [](const char* name, const char* value, const fs::path& program) {
    const char* old = std::getenv(name);
    const std::string kept = old == nullptr ? "" : old;
    setenv(name, value, 1);
    const auto folder = cache::default_folder(program);
    old == nullptr ? unsetenv(name) : setenv(name, kept.c_str(), 1);
    return folder;
  };
  EXPECT_EQ(with("PTXLAB_CACHE", "/own", "/x/build/ptxlab"), "/own");
  EXPECT_EQ(with("PTXLAB_CACHE", "", "/x/build/ptxlab"), "/x/build/cache");
  EXPECT_EQ(with("XDG_CACHE_HOME", "/xdg", "/usr/bin/ptxlab"),
            std::getenv("PTXLAB_CACHE") == nullptr ? fs::path("/xdg/ptxlab")
                                                   : fs::path(std::getenv("PTXLAB_CACHE")));
}

TEST(toolchain_dependency_rule_test, unescapes) {
  const std::vector<std::string> expected = {"a.cu", "/usr/in clude/b.h", "c#.h", "d$.h", "e:f.h"};
  EXPECT_EQ(
      parse_dependency_rule("out.ptx : a.cu \\\n    /usr/in\\ clude/b.h \\\r\n c\\#.h d$$.h e:f.h\n"
                            "a.cu:\n"),
      expected);
  EXPECT_TRUE(parse_dependency_rule("").empty());
  EXPECT_TRUE(parse_dependency_rule("no rule at all").empty());
  EXPECT_TRUE(parse_dependency_rule("x:").empty());
}

}  // namespace
