// Defines the functions of fmt that are not templates, for all files of the command. Debian has only a shared library
// of fmt, and the command is static. If each file compiled these functions as inline functions, they would take two
// thirds of the command's compile time. This file is compiled without inlining: it thus defines vformat, vprint and all
// functions that these two call.
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

namespace anympi::command {

extern std::string (*const fmt_vformat)(fmt::string_view, fmt::format_args);
extern void (*const fmt_vprint)(fmt::string_view, fmt::format_args);
std::string (*const fmt_vformat)(fmt::string_view, fmt::format_args) = &fmt::vformat;
void (*const fmt_vprint)(fmt::string_view, fmt::format_args) = &fmt::vprint;

} // namespace anympi::command
