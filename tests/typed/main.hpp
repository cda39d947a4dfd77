#ifndef MAIN_HPP
#define MAIN_HPP

#include <anympi/anympi.hpp>

/// The one that main() made.
anympi::Environment& environment();

#endif
