// SPDX-License-Identifier: Apache-2.0
// Shell-like patterns for kernel and opcode names.
#pragma once

#include <string_view>

namespace ptxlab::verdict {

/// True if the whole of `text` fits `pattern`: `*` stands for any run of characters, `?` for one,
/// everything else for itself.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace ptxlab::verdict
