#pragma once

/// Declares a function that programs can call. The name is weak, so that a profiling layer may define the same name
/// beside the static archive.
#define EXPORTED extern "C" __attribute__((visibility("default"), weak))
