#pragma once

/// A name for programs. It is weak, so that a profiling layer may have the same name where the library is an archive.
#define EXPORTED extern "C" __attribute__((visibility("default"), weak))
