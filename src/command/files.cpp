#include "command/files.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <unistd.h>

namespace anympi::command {

namespace fs = std::filesystem;

fs::path real_path(const fs::path& file) {
    std::error_code failure;
    fs::path real = fs::canonical(file, failure);
    return failure ? file : real;
}

bool is_folder(const fs::path& file) {
    std::error_code failure;
    return fs::is_directory(file, failure);
}

bool is_executable(const fs::path& file) {
    std::error_code failure;
    return fs::is_regular_file(file, failure) && access(file.c_str(), X_OK) == 0;
}

std::vector<std::string> folders_in_path() {
    const char* path = std::getenv("PATH");
    std::istringstream rest(path ? path : "");
    std::vector<std::string> folders;
    for (std::string folder; std::getline(rest, folder, ':');)
        if (folder.starts_with('/'))
            folders.push_back(folder);
    return folders;
}

bool names_a_program(const std::string& word) {
    if (word.find('/') != std::string::npos)
        return is_executable(word);
    const std::vector<std::string> folders = folders_in_path();
    return std::any_of(folders.begin(), folders.end(),
                       [&](const std::string& folder) { return is_executable(fs::path(folder) / word); });
}

} // namespace anympi::command
