
sources=$prefix/@WRAPPER_DATA_DIR@/anympi/fortran

# Compiles one module and a program that uses it. A compiler that cannot gives no module: then no program finds it.
compile_module() {
    if $compiler -c -fPIC -O2 -I. "$sources/$1.F90" -o "$1.o" && $compiler -c -I. "$sources/probe_$1.F90" -o probe.o; then
        ar rc libanympi_modules.a "$1.o"
        return
    fi
    rm -f "$1.mod"
    echo "@MPI_WRAPPER@: $compiler_name cannot compile the module $1; the reason is in $modules/log" >>lacking
}

# In $work, which becomes $modules when it is complete.
compile_modules() {
    echo "@MPI_WRAPPER@: compiling the modules for $compiler_name once, into $modules" >&2
    (
        cd "$work"
        mkdir tmp
        export TMPDIR="$work/tmp" # for what a compiler leaves behind when it fails
        $compiler -c -fPIC -O2 "$sources/anympi_types.F90" -o anympi_types.o && ar rc libanympi_modules.a anympi_types.o || exit
        compile_module mpi
        compile_module mpi_f08
        rm -rf anympi_types.o mpi.o mpi_f08.o probe.o tmp
    ) >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        refuse "$compiler_name cannot compile the modules of MPI."
    }
}

# A complete folder appears by one rename, so that compilations at the same time do no harm.
make_modules() {
    work=$(mktemp -d "$1/.new.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    compile_modules
    chmod 755 "$work"
    mv -T "$work" "$modules" 2>/dev/null || [ -d "$modules" ] || refuse "cannot make $modules"
    rm -rf "$work"
    trap - EXIT HUP INT TERM
}

# Sets $modules. They are compiled once for each compiler and version, since none reads the modules of another: where
# ANYMPI_MODULES says, else beside this installation if that can be written, else for this user.
find_modules() {
    beside=${ANYMPI_MODULES:-$lib/anympi/modules}
    of_user=${ANYMPI_MODULES:-${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/anympi/modules}
    identity=$($compiler --version 2>&1) || refuse "$compiler --version failed: $identity"
    compiler_name=$(printf '%s\n' "$identity" | head -n 1)
    sum=$({ printf '%s\n' "$identity"; cat "$sources/anympi_types.F90" "$sources/mpi.F90" "$sources/mpi_f08.F90"; } | cksum | tr ' ' -)
    key=$(printf '%s' "$compiler_name" | tr -d '()' | tr -c 'A-Za-z0-9.+-' _)-$sum
    for folder in "$beside" "$of_user"; do
        modules=$folder/$key
        [ ! -d "$modules" ] || return 0
    done
    for folder in "$beside" "$of_user"; do
        modules=$folder/$key
        if mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ]; then
            make_modules "$folder"
            return 0
        fi
    done
    refuse "there is no place for the modules of MPI: neither $beside nor $of_user can be written." \
        "Set ANYMPI_MODULES to a folder that can."
}

# As exec, and says behind the compiler's errors which modules it does not have.
attempt() {
    "$@" && exit
    code=$?
    cat "$modules/lacking" >&2
    exit $code
}

prepare_fortran() {
    need_compiler
    for word in $compiler; do
        case $word in
        -fdefault-integer-8 | -i8) refuse_wide_integers "$word" ;;
        -fno-underscoring) refuse_bare_names "$word" ;;
        esac
    done
    case ${compiler%% *} in
    /*) ;;
    */*) compiler=$PWD/$compiler ;; # the modules are compiled in another folder
    esac
    find_modules
    [ $action = show ] || [ ! -e "$modules/lacking" ] || action=attempt
    # With mpif.h each call of MPI_Send has arguments of its own types, which gfortran forbids since version 10.
    case $identity in
    "GNU Fortran"*) [ "$($compiler -dumpversion | cut -d. -f1)" -lt 10 ] || dialect=-fallow-argument-mismatch ;;
    esac
}
