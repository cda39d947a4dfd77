#include "runtime/open/restore_variables.hpp"

#include "runtime/open/linker_variables.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <unistd.h>

namespace anympi::runtime {
namespace {

constexpr const char* mark = "ANYMPI_STEPPED_ASIDE"; // holds the number of the process
constexpr const char* changed_names[] = {path_variable, preload_variable};
constexpr const char* before = "ANYMPI_BEFORE_"; // LD_PRELOAD is kept as ANYMPI_BEFORE_LD_PRELOAD

bool begins_with(const char* text, const char* beginning) {
    return std::strncmp(text, beginning, std::strlen(beginning)) == 0;
}

bool is_for_one_start(const char* entry) {
    const auto is_this = [&](const char* name) { return begins_with(entry, name) && entry[std::strlen(name)] == '='; };
    return is_this(mark) || std::any_of(std::begin(changed_names), std::end(changed_names), is_this);
}

// Moves the pointer in place: NAME=VALUE is the end of ANYMPI_BEFORE_NAME=VALUE, so nothing is copied.
void put_back(char** list) {
    char** end = list;
    for (; *list != nullptr; ++list)
        if (begins_with(*list, before))
            *end++ = *list + std::strlen(before);
        else if (!is_for_one_start(*list))
            *end++ = *list;
    *end = nullptr;
}

// A mark of another process counts as well, because that process had no code of anympi that could restore the
// variables.
bool put_back_if_marked(char** list) {
    const char* const process = find_variable(list, mark);
    const bool is_of_this_process = process != nullptr && names_this_process(process);
    if (process != nullptr)
        put_back(list);
    return is_of_this_process;
}

} // namespace

bool are_kept_for_putting_back(char* const* environment) {
    const char* const process = find_variable(environment, mark);
    return process != nullptr && names_this_process(process);
}

void keep_for_putting_back(changes& different, char* const* environment) {
    different.add({mark, "=", own_process_number().text});
    for (const char* name : changed_names)
        if (const char* const present = find_variable(environment, name))
            different.add({before, name, "=", present});
}

bool put_back_after_stepping_aside(char** environment) {
    // The environment of such a process may be written by anybody, and the dynamic linker has removed these variables
    // from it.
    if (is_privileged())
        return false;
    const bool in_given = put_back_if_marked(environment);
    const bool in_present = put_back_if_marked(__environ); // usually it is the same list
    return in_given || in_present;
}

} // namespace anympi::runtime
