// For programs of MPICH2 1.5, whose library has the soname libmpich.so.8.

#include "preload/older/combiners_of_mpich.hpp"
