#pragma once

// Lets one build run on every glibc since 2.17. glibc 2.34 moved these functions from libdl.so.2 and libpthread.so.0
// into libc.so.6 and gave them a new version. The old version exists before and after the move. glibc 2.34 also gave a
// new version to the function that starts a program. Every installed file except the command is compiled with this
// header included first (src/CMakeLists.txt), in C and in C++, so that no call can miss it. GLIBC_2.2.5 is the first
// version of glibc for this processor.

#ifndef ANYMPI_DEFINES_DLOPEN // the one file that defines its own dlopen
__asm__(".symver dlopen, dlopen@GLIBC_2.2.5");
#endif

__asm__(".symver dlclose, dlclose@GLIBC_2.2.5\n"
        ".symver dlerror, dlerror@GLIBC_2.2.5\n"
        ".symver dlsym, dlsym@GLIBC_2.2.5\n"
        ".symver dladdr, dladdr@GLIBC_2.2.5\n"
        ".symver dladdr1, dladdr1@GLIBC_2.3.3\n"
        ".symver dlinfo, dlinfo@GLIBC_2.3.3\n"
        ".symver pthread_key_create, pthread_key_create@GLIBC_2.2.5\n"
        ".symver pthread_setspecific, pthread_setspecific@GLIBC_2.2.5\n"
        ".symver __libc_start_main, __libc_start_main@GLIBC_2.2.5");
