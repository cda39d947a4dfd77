#include "command/cli/files.hpp"

#include "command/cli/split_join.hpp"

#include <cstdlib>
#include <unistd.h>

namespace anympi::command {

namespace fs = std::filesystem;

fs::path real_path(const fs::path& file) {
    std::error_code failure;
    fs::path real = fs::canonical(file, failure);
    return failure ? file : real;
}

bool is_same_file(const std::string& left, const std::string& right) {
    return !left.empty() && real_path(left) == real_path(right);
}

bool is_readable(const fs::path& file) {
    return access(file.c_str(), R_OK) == 0;
}

bool is_folder(const fs::path& file) {
    std::error_code failure;
    return fs::is_directory(file, failure);
}

bool is_file(const fs::path& file) {
    std::error_code failure;
    return fs::is_regular_file(file, failure);
}

bool is_executable(const fs::path& file) {
    return is_file(file) && access(file.c_str(), X_OK) == 0;
}

std::vector<std::string> folders_in_path() {
    const char* path = std::getenv("PATH");
    std::vector<std::string> folders = split_list(path ? path : "");
    std::erase_if(folders, [](const std::string& folder) { return !folder.starts_with('/'); });
    return folders;
}

std::string find_program(const std::string& word) {
    if (word.find('/') != std::string::npos)
        return is_executable(word) ? word : "";
    for (const std::string& folder : folders_in_path())
        if (const fs::path file = fs::path(folder) / word; is_executable(file))
            return file;
    return "";
}

} // namespace anympi::command
