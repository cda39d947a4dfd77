#pragma once

namespace anympi::runtime {

/// The private interface between check_library.so and a front for programs of a vendor. check_library.so opens the
/// front and asks which interposers the objects of this process need on the library at a path. The answer is a list of
/// files with a colon after each.
using list_interposers = const char*(const char* library);
constexpr const char* name_of_list_interposers = "anympi_list_interposers_1";

} // namespace anympi::runtime
