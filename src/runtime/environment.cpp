#include "runtime/environment.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace anympi::runtime {

const char* read_variable(const char* name) {
    const char* value = secure_getenv(name);
    return value && *value ? value : nullptr;
}

bool is_on(const char* name) {
    const char* value = read_variable(name);
    return value && std::strcmp(value, "0") != 0;
}

bool is_off(const char* name) {
    const char* value = read_variable(name);
    return value && (std::strcmp(value, "off") == 0 || std::strcmp(value, "0") == 0);
}

int read_number(const char* name) {
    const char* value = read_variable(name);
    if (!value || *value == '-')
        return -1;
    int parsed = -1;
    const char* end = value + std::strlen(value);
    // std::from_chars, because strtol from a new glibc would require that glibc.
    const auto result = std::from_chars(value, end, parsed);
    return result.ec == std::errc{} && result.ptr == end ? parsed : -1;
}

} // namespace anympi::runtime
