#include "fortran/sentinel.hpp"

/// The common blocks of the standard's programs and of those of MPICH's family, which have the same names. Only the
/// size of a status differs.

namespace {

constexpr int status_size = anympi::fortran::rule::here::status_size;

} // namespace

#define COMMON __attribute__((visibility("default")))

extern "C" {

COMMON int mpipriv1_[2 + status_size] = {};
COMMON int mpipriv2_[status_size + 1] = {};
COMMON char mpiprivc_[2] = {};
COMMON int mpifcmb5_[1] = {};
COMMON int mpifcmb9_[1] = {};
COMMON int mpifcmba_[1] = {};

} // extern "C"
