// SPDX-License-Identifier: Apache-2.0
// Text of a traffic report: stable lines for FileCheck, a table for people.
#pragma once

#include <string>

#include "ptx/machine/observers/traffic.hpp"

namespace ptxlab::machine {

/// A heading, then one line for each row, in the report's order, all numbers integers:
///   global    reduce.cu:12 ld.global.f32: requests 64 lanes 2048 bytes 8192 sectors 256 ideal 256
///             lines 64 cc1.0 128 cc1.0-bytes 8192 cc1.2 128 cc1.2-bytes 8192
///   shared    ...: requests lanes bytes passes32 ideal32 degree32 passes16 ideal16 degree16
///   atomics   ...: requests lanes bytes, of the space as above (not cc1.x), addresses same-address
///   constant  ...: requests lanes bytes addresses
///   others    ...: requests lanes bytes
/// The line is one; it ends in "not-modelled N" where a model could not tell. The opcode is
/// followed by " (SPACE)" where it does not name the space itself.
std::string traffic_lines(const traffic_report& r);

/// The same as tables of at most `width` characters, one for each kind of row; columns that do not
/// fit are left out.
std::string traffic_tables(const traffic_report& r, unsigned width = 80);

}  // namespace ptxlab::machine
