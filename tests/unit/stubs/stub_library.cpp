#include "base/stubs.hpp"

extern "C" void* stub_of_library(void* user_function, void* converter) {
    return anympi::stub_for(user_function, converter);
}
