#pragma once

#include "emulate/datatypes/integer16.hpp"
#include "emulate/engine/override.hpp"
#include "override_rules.hpp" // generated

namespace anympi::emulate {

/// Evaluates the conditions of api/overrides.api for the bound library.
template <class Run>
struct bound_library {
    static constexpr bool has_abi(abi name) { return Run::name == name; }
    static bool has(function one) {
        return reinterpret_cast<void* const*>(&own_functions<Run>)[static_cast<int>(one)] != nullptr;
    }
    static bool lacks_type(const datatype_name& type) { return may_lack_type<Run>(type.id); }
};

} // namespace anympi::emulate
