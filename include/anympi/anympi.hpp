// The typed API: everything. See docs/typed-api.md.
#ifndef ANYMPI_ANYMPI_HPP
#define ANYMPI_ANYMPI_HPP

#include "environment.hpp"
#include "window.hpp"

#endif
