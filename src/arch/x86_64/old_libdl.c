/*
 * Input for the linker only; never installed, never loaded. It replaces the libdl.so.2 of glibc before 2.34, which has
 * these functions (old_libdl.map lists their versions). A library that is linked with this file needs libdl.so.2 and
 * finds the functions on every glibc: newer releases still have an empty libdl.so.2, and the same versions in
 * libc.so.6.
 */
void dladdr(void) {}
void dladdr1(void) {}
void dlclose(void) {}
void dlerror(void) {}
void dlinfo(void) {}
void dlopen(void) {}
void dlsym(void) {}
