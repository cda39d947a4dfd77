#pragma once

/// The rules by which values cross a pair, one header per kind of value.
#include "base/array.hpp"
#include "convert/address.hpp"
#include "convert/error.hpp"
#include "convert/handle.hpp"
#include "convert/keyval.hpp"
#include "convert/rank.hpp"
#include "convert/status.hpp"
#include "convert/text.hpp"
#include "convert/values.hpp"
