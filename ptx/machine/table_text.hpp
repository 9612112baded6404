// SPDX-License-Identifier: Apache-2.0
// The operation table for readers: every instruction that the machine runs, as PTX ISA spells
// forms.
#pragma once

#include <string>

namespace ptxlab::machine {

/// One line for each form, sorted by instruction: `fma{.rn,.rz}{.sat}?.f32   d, a, b, c   note`.
/// Braces hold alternatives, `?` says that they may be left out. Special registers follow.
std::string table_text();

}  // namespace ptxlab::machine
