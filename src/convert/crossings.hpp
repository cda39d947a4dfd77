#pragma once

// Includes the rules for converting values between the ABIs of a pair, one header per kind of value.
#include "base/array.hpp"
#include "convert/address.hpp"
#include "convert/error_code.hpp"
#include "convert/handle.hpp"
#include "convert/handle_parameters.hpp"
#include "convert/keyval.hpp"
#include "convert/rank.hpp"
#include "convert/special_number.hpp"
#include "convert/status.hpp"
#include "convert/text_parameters.hpp"
#include "convert/values.hpp"
