#pragma once

namespace anympi {

/// Tells the conversion rules which functions of this front are the predefined attribute functions of its programs
/// (convert/attribute.hpp).
void name_predefined_functions();

} // namespace anympi
