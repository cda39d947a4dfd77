#pragma once

// On x86_64 this header asks for old versions of some functions of glibc. Their numbers differ between processors, so
// that a portable build takes those of the glibc that it is built with.
