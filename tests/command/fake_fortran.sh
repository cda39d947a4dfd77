#!/bin/sh
# A Fortran compiler that compiles nothing: it makes the requested files, and fails if it cannot read a module.
[ "$1" != --version ] || { echo "Fake Fortran 1.0"; exit; }
before=
for word; do
    case $word in
    -I*)
        module=${word#-I}/mpi_f08.mod
        [ ! -e "$module" ] || cat "$module" >/dev/null || { echo "Cannot open module file $module" >&2; exit 1; }
        ;;
    */anympi/fortran/mpi*.F90) echo module >"$(basename "$word" .F90).mod" ;;
    esac
    [ "$before" != -o ] || echo object >"$word"
    before=$word
done
