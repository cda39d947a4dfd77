#ifndef MAIN_HPP
#define MAIN_HPP

#include <anympi/anympi.hpp>

/// Returns the environment that main() created.
anympi::Environment& environment();

#endif
