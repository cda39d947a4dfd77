#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace anympi::command {

/// Returns the file to which all links lead, or the path itself if the file cannot be found.
std::filesystem::path real_path(const std::filesystem::path& file);

/// Returns true if both paths lead to the same file. An empty path leads to no file.
bool is_same_file(const std::string& left, const std::string& right);

bool is_readable(const std::filesystem::path& file);
bool is_file(const std::filesystem::path& file); // a regular file, not a pipe, a folder or a device
bool is_folder(const std::filesystem::path& file);
bool is_executable(const std::filesystem::path& file);

/// Returns the absolute folders of PATH. The meaning of a relative folder would depend on the current folder.
std::vector<std::string> folders_in_path();

/// Returns the file that a shell would start for this word, or an empty text.
std::string find_program(const std::string& word);

} // namespace anympi::command
