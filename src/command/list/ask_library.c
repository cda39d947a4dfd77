/*
 * ask_library LIBRARY DESCRIPTOR: opens an MPI library and writes what it says about itself to the file descriptor: a
 * letter, T for its text or E for an error, and the text. `anympi list` starts it, since the command is static.
 */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int answer_to;

static void write_all(const char* text, size_t length) {
    while (length > 0) {
        const ssize_t step = write(answer_to, text, length);
        if (step <= 0)
            _exit(1);
        text += step;
        length -= (size_t)step;
    }
}

/* Without exit handlers: the library's exit handlers may crash or hang. */
static void answer(const char* kind, const char* text, const char* more) {
    write_all(kind, 1);
    write_all(text, strlen(text));
    write_all(more, strlen(more));
    _exit(0);
}

/* The only function that all MPIs allow before MPI_Init and that tells the product's version. */
static void ask(const char* library) {
    static char text[65536]; /* 8192 is the largest of any MPI */
    int length = 0;
    void* const handle = dlopen(library, RTLD_LOCAL | RTLD_LAZY);
    if (!handle)
        answer("E", "cannot be opened: ", dlerror());
    int (*const get_version)(char*, int*) = (int (*)(char*, int*))dlsym(handle, "PMPI_Get_library_version");
    if (!get_version)
        answer("E", "has no PMPI_Get_library_version", "");
    if (get_version(text, &length) != 0)
        answer("E", "PMPI_Get_library_version fails", "");
    text[sizeof text - 1] = '\0';
    answer("T", text, "");
}

int main(int count, char** arguments) {
    if (count != 3)
        return 2;
    answer_to = atoi(arguments[2]);
    ask(arguments[1]);
    return 1;
}
