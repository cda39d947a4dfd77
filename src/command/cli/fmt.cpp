// The functions of fmt that are no templates, for all files of the command. Debian has them in a shared library only,
// and the command is static. As inline functions of each file they would take two thirds of the time for compiling the
// command. This file is compiled without inlining, so that everything that the two functions call is there for the
// others too.
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

namespace anympi::command {

extern std::string (*const fmt_vformat)(fmt::string_view, fmt::format_args);
extern void (*const fmt_vprint)(fmt::string_view, fmt::format_args);
std::string (*const fmt_vformat)(fmt::string_view, fmt::format_args) = &fmt::vformat;
void (*const fmt_vprint)(fmt::string_view, fmt::format_args) = &fmt::vprint;

} // namespace anympi::command
