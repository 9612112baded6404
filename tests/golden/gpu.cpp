// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <fstream>
#include <optional>

#include "driver/cuda/check.hpp"
#include "driver/cuda/launch.hpp"
#include "driver/cuda/texture_object.hpp"
#include "ptx/text/error.hpp"
#include "tests/golden/cubins.hpp"
#include "tests/golden/files.hpp"

namespace ptxlab::golden {

void gpu::run_module(std::size_t number, const taker& take) {
  const std::filesystem::path path = cubin_of(folder_, number);
  const cuda::module m(on(), read_file(path), cuda::module::image::cubin, path.filename().string());
  const auto [first, last] = module_range(number);
  for (std::size_t i = first; i < last; ++i) {
    if (std::find(skipped_.begin(), skipped_.end(), cases()[i].name) != skipped_.end()) continue;
    result_words words;
    std::string problem;
    try {
      words = run(m.function(kernel_name(i)), cases()[i]);
    } catch (const cuda::cuda_error& e) {
      if (e.sticky()) throw error(fmt::format("{}: {}", cases()[i].name, e.what()));
      problem = e.what();
    } catch (const error& e) {
      problem = e.what();
    }
    take(cases()[i], words, problem);
  }
}

result_words gpu::run(const cuda::kernel& k, const golden_case& c) {
  const auto [it, fresh] = operands_.try_emplace(c.in, nullptr);
  if (fresh) {
    const std::vector<std::uint64_t> words = operand_words(c.in);
    it->second = std::make_unique<cuda::buffer<std::uint64_t>>(words.size());
    it->second->upload(words);
  }
  auto& out = results_[result_count(c)];
  if (!out) out = std::make_unique<cuda::buffer<std::uint64_t>>(result_count(c));
  out->clear();
  cuda::synchronise();
  cuda::arguments a;
  a.add(it->second->address()).add(out->address());
  std::optional<cuda::texture_object> texture;
  if (c.texture)
    a.add(std::uint64_t{texture.emplace(c.texture->what, texels_of(*c.texture)).object()});
  cuda::launch(on(), k, {.blocks = 1, .block_threads = tuples}, a, stream_);
  if (!stream_.wait(std::chrono::seconds(20)))
    throw error(fmt::format("{}: no end after 20 s", c.name));
  return out->download();
}

std::string kernel_driver() {
  std::ifstream in("/proc/driver/nvidia/version");
  for (std::string word; in >> word;)
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0 && word.find('.') != word.npos)
      return word;
  return {};
}

}  // namespace ptxlab::golden
