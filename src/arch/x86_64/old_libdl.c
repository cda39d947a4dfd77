/*
 * For the linker alone; never installed, never loaded. It stands for the libdl.so.2 of glibc before 2.34, which has
 * these functions (old_libdl.map says in which versions). A library that is linked with this file names libdl.so.2 and
 * so finds them on every glibc: newer ones have kept an empty libdl.so.2, and the same versions in libc.so.6.
 */
void dladdr(void) {}
void dladdr1(void) {}
void dlclose(void) {}
void dlerror(void) {}
void dlinfo(void) {}
void dlopen(void) {}
void dlsym(void) {}
