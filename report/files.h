// Files that are either written whole or not at all.
#pragma once

#include <string>

namespace fencecheck {

/// Replaces `path` by `content`. Throws UsageError where that is not possible; an existing file is then as it was.
void write_file(const std::string& path, const std::string& content);

/// Throws UsageError where `path` could not be written, before a long search is made for nothing.
void require_writable(const std::string& path);

/// The content of `path`. Throws UsageError where it cannot be read.
std::string read_file(const std::string& path);

}  // namespace fencecheck
