#include "arch/dlopen.hpp"

std::atomic<anympi_opener* (*)(const char* name)> anympi_choose_opener;

// Written in assembly because it must be a jump, whatever the compiler's options are.
asm(R"(
    .pushsection .text.anympi_dlopen, "ax", @progbits
    .p2align 4
    .hidden anympi_dlopen
    .globl anympi_dlopen
    .type anympi_dlopen, @function
anympi_dlopen:
    .cfi_startproc
    endbr64
    push %rdi
    .cfi_adjust_cfa_offset 8
    push %rsi
    .cfi_adjust_cfa_offset 8
    sub $8, %rsp
    .cfi_adjust_cfa_offset 8
    call *anympi_choose_opener(%rip)
    add $8, %rsp
    .cfi_adjust_cfa_offset -8
    pop %rsi
    .cfi_adjust_cfa_offset -8
    pop %rdi
    .cfi_adjust_cfa_offset -8
    jmp *%rax
    .cfi_endproc
    .size anympi_dlopen, . - anympi_dlopen
    .popsection
)");
