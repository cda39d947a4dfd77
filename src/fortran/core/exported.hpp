#pragma once

/// A name for programs. It is weak, so that a profiling layer may define the same name beside the static archive.
#define EXPORTED extern "C" __attribute__((visibility("default"), weak))
