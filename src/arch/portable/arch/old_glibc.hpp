#pragma once

// On x86_64 this header selects old versions of some functions of glibc. Version numbers differ between processors, so
// a portable build uses the versions of the glibc that it is built with.
