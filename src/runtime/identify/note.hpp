#pragma once

namespace anympi::runtime {

/// The libraries of anympi contain an ELF note by which they recognise each other, because a front must never open a
/// front, least of all itself. A note needs no exported symbol and survives renaming, stripping and a copied soname.
inline constexpr char note_owner[] = "anympi";
inline constexpr unsigned note_type = 1;

} // namespace anympi::runtime

// Must be written once, at namespace scope, in one source file of a front. The words are: length of the name with its
// NUL, length of the (empty) descriptor, type, name.
#define ANYMPI_FRONT_NOTE                                                                                              \
    asm(".pushsection .note.anympi, \"a\", %note\n"                                                                    \
        ".balign 4\n"                                                                                                  \
        ".long 7, 0, 1\n"                                                                                              \
        ".asciz \"anympi\"\n"                                                                                          \
        ".balign 4\n"                                                                                                  \
        ".popsection\n")
