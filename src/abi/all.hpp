#pragma once

/// Every ABI, for what is made once for each of them.
#include "abi/mpich.hpp"
#include "abi/openmpi.hpp"
#include "abi/standard.hpp"
