/* The library that is built from this file has a soname that programs need, and no functions. */
extern const char anympi_placeholder;
const char anympi_placeholder = 0;
