#pragma once

// Includes every ABI, for code that is instantiated once for each of them.
#include "abi/mpich.hpp"
#include "abi/openmpi.hpp"
#include "abi/standard.hpp"
