// SPDX-License-Identifier: Apache-2.0
// Comma-separated records as RFC 4180 has them, both ways.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ptxlab::report {

/// One record and the line of the file that it starts in.
struct record {
  int line = 0;
  std::vector<std::string> fields;
};

/// All records of `text`, the first one included; lines may end in LF or CRLF, and empty ones are
/// passed over. Throws ptxlab::error ("WHERE:LINE: reason") for a quote that is out of place.
std::vector<record> parse_records(std::string_view text, const std::string& where);

/// One record with its end of line; fields are quoted only where they must be.
std::string record_text(const std::vector<std::string>& fields);

/// A record whose fields go by the names in the file's first line.
struct named_record {
  int line = 0;
  std::map<std::string, std::string> fields;
};

/// The records of a file that has at least `columns`. Throws ptxlab::error for a file that cannot
/// be read, lacks a column, or has a record with too few or too many fields.
std::vector<named_record> read_records(const std::filesystem::path& path,
                                       const std::vector<std::string>& columns);

}  // namespace ptxlab::report
