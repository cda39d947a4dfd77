#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace anympi::command {

// The file behind all links; the path itself where that cannot be told.
std::filesystem::path real_path(const std::filesystem::path& file);

// Returns true if both paths lead to one file. An empty path leads nowhere.
bool is_same_file(const std::string& left, const std::string& right);

bool is_readable(const std::filesystem::path& file);
bool is_folder(const std::filesystem::path& file);
bool is_executable(const std::filesystem::path& file);

// The absolute folders of PATH: what a relative one means depends on where the user happens to stand.
std::vector<std::string> folders_in_path();

// The file that a shell would start for this word; empty: none.
std::string find_program(const std::string& word);

} // namespace anympi::command
