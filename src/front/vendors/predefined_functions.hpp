#pragma once

namespace anympi {

/// Registers the predefined attribute functions of this front's programs with the conversion rules
/// (convert/attribute.hpp).
void name_predefined_functions();

} // namespace anympi
