// Defines the functions of fmt that are not templates, for all files of the command. Debian has only a shared library
// of fmt, and the command is static. As inline functions in each file they would take two thirds of the time that the
// command needs to compile. This file is compiled without inlining, so that it also defines what the two functions
// call.
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

namespace anympi::command {

extern std::string (*const fmt_vformat)(fmt::string_view, fmt::format_args);
extern void (*const fmt_vprint)(fmt::string_view, fmt::format_args);
std::string (*const fmt_vformat)(fmt::string_view, fmt::format_args) = &fmt::vformat;
void (*const fmt_vprint)(fmt::string_view, fmt::format_args) = &fmt::vprint;

} // namespace anympi::command
