/* Nothing: the library made of this has a name that programs ask for, and no functions. */
extern const char anympi_placeholder;
const char anympi_placeholder = 0;
