#ifndef ENVIRONMENT_HPP
#define ENVIRONMENT_HPP

#include <anympi/anympi.hpp>

/// The one that main() made.
anympi::Environment& environment();

#endif
