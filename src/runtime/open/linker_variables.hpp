#pragma once

#include <cstring>

namespace anympi::runtime {

/// The variables that tell the dynamic linker which libraries to load.
inline constexpr char path_variable[] = "LD_LIBRARY_PATH";
inline constexpr char preload_variable[] = "LD_PRELOAD";

/// The folders that `anympi run` put first on the library path, for keep_path.so.
inline constexpr char first_variable[] = "ANYMPI_LIBRARY_PATH";

/// The user's PATH, for keep_path.so, if the launcher puts its own folder before it.
inline constexpr char users_path_variable[] = "ANYMPI_USERS_PATH";

/// Returns false for names with a space or a colon, which LD_PRELOAD cannot quote.
inline bool can_be_preloaded(const char* file) {
    return std::strpbrk(file, " :") == nullptr;
}

} // namespace anympi::runtime
