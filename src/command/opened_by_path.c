/*
 * Beside keep_path.c, for programs that open MPI themselves.
 *
 * By its soname (`libmpi.so.40`) they open what is first on the library path, as meant. By the name that compilers use
 * (`libmpi.so`, as Julia and scripts with ctypes do), or by a path, they would get another MPI than the one chosen, and
 * each process would be a job of its own. So a file that is called as one of the libraries first on the path, but for
 * the rest of its version, is that one. Which file such a name without a number is, says the path without us.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void* opener(const char* name, int mode);

typedef struct {
    char text[PATH_MAX];
} path;

static const char* last_part(const char* name) {
    const char* const slash = strrchr(name, '/');
    return slash ? slash + 1 : name;
}

static int may_be_mpi(const char* name) {
    return name && strncmp(last_part(name), "libmpi", 6) == 0;
}

static int is_in(const char* folder, size_t length, const char* name, path* found) {
    const int written = snprintf(found->text, sizeof found->text, "%.*s/%s", (int)length, folder, name);
    return written > 0 && (size_t)written < sizeof found->text && access(found->text, R_OK) == 0;
}

/* What `anympi run` put first on the library path, folder by folder. */
static const char* first_folders(void) {
    const char* const folders = getenv("ANYMPI_LIBRARY_PATH");
    return folders ? folders : "";
}

static const char* next_folder(const char* folders) {
    folders += strcspn(folders, ":");
    return folders + (*folders == ':');
}

static int is_first_on_path(const char* name, path* found) {
    for (const char* folder = first_folders(); *folder; folder = next_folder(folder))
        if (is_in(folder, strcspn(folder, ":"), name, found))
            return 1;
    return 0;
}

static int is_first_folder(const char* name) {
    for (const char* folder = first_folders(); *folder; folder = next_folder(folder))
        if (strlen(name) == strcspn(folder, ":") && strncmp(name, folder, strlen(name)) == 0)
            return 1;
    return 0;
}

static int is_in_other_folder(const Dl_serinfo* folders, const char* name, path* found) {
    for (unsigned i = 0; i < folders->dls_cnt; i++) {
        const char* const folder = folders->dls_serpath[i].dls_name;
        if (!is_first_folder(folder) && is_in(folder, strlen(folder), name, found))
            return 1;
    }
    return 0;
}

/* Where the dynamic linker would look without us for what this caller opens, but for its cache. */
static int is_on_path_of(void* caller, const char* name, path* found) {
    Dl_info object;
    struct link_map* handle = NULL;
    Dl_serinfo head;
    if (!dladdr1(caller, &object, (void**)&handle, RTLD_DL_LINKMAP) || dlinfo(handle, RTLD_DI_SERINFOSIZE, &head) != 0)
        return 0;
    Dl_serinfo* const folders = malloc(head.dls_size);
    const int is_found = folders && dlinfo(handle, RTLD_DI_SERINFOSIZE, folders) == 0 &&
                         dlinfo(handle, RTLD_DI_SERINFO, folders) == 0 && is_in_other_folder(folders, name, found);
    free(folders);
    return is_found;
}

/* `libmpi.so.40.30.4`, to which the other names of the file lead, has the soname `libmpi.so.40`. */
static int soname_of(const char* file, path* name) {
    path real;
    if (!realpath(file, real.text))
        return 0;
    snprintf(name->text, sizeof name->text, "%s", last_part(real.text));
    char* const number = strstr(name->text, ".so.");
    if (number)
        number[4 + strspn(number + 4, "0123456789")] = '\0';
    return number != NULL;
}

static int is_chosen(const char* file) {
    const char* const chosen = getenv("ANYMPI_MPI");
    path left, right;
    return chosen && realpath(chosen, left.text) && realpath(file, right.text) && strcmp(left.text, right.text) == 0;
}

/* What is opened for this name; nothing where it is left to the dynamic linker. */
static int is_replaced(const char* name, void* caller, path* ours) {
    path file, soname;
    if (strchr(name, '/'))
        snprintf(file.text, sizeof file.text, "%s", name);
    else if (strstr(name, ".so.") || !is_on_path_of(caller, name, &file))
        return 0;
    if (is_chosen(file.text)) {
        *ours = file;
        return 1;
    }
    return soname_of(file.text, &soname) && is_first_on_path(soname.text, ours);
}

/* Apart, so that dlopen has nothing on the stack, and can jump. */
__attribute__((noinline)) static void* open_ours(const char* name, int mode, void* caller, opener* next) {
    path ours;
    return is_replaced(name, caller, &ours) ? next(ours.text, mode) : NULL;
}

/* What is not for us goes on by a jump, for which this file is optimised in each build: whose RUNPATH counts for a bare
 * name, the C library knows by the address of the caller. */
__attribute__((visibility("default"))) void* dlopen(const char* name, int mode) {
    opener* const next = (opener*)dlsym(RTLD_NEXT, "dlopen");
    void* const ours = may_be_mpi(name) ? open_ours(name, mode, __builtin_return_address(0), next) : NULL;
    if (ours)
        return ours;
    return next(name, mode);
}
