
sources=$prefix/@WRAPPER_DATA_DIR@/anympi/fortran

# Compiles one module and a program that uses it. If the compiler cannot do this, the module is removed, so that no program
# finds it.
compile_module() {
    if $compiler -c -fPIC -O2 -I. "$sources/$1.F90" -o "$1.o" && $compiler -c -I. "$sources/probe_$1.F90" -o probe.o; then
        ar rc libanympi_modules.a "$1.o"
        return
    fi
    rm -f "$1.mod"
    harmless "@MPI_WRAPPER@: $compiler_name cannot compile the module $1; the reason is in $modules/log" >>lacking
}

# Compiles all modules in $work, which becomes $modules when it is complete.
compile_modules() {
    say "compiling the modules for $compiler_name once, into $modules"
    (
        cd "$work"
        mkdir tmp
        export TMPDIR="$work/tmp" # for what a compiler leaves behind when it fails
        $compiler -c -fPIC -O2 "$sources/anympi_types.F90" -o anympi_types.o && ar rc libanympi_modules.a anympi_types.o || exit
        compile_module mpi
        compile_module mpi_f08
        rm -rf anympi_types.o mpi.o mpi_f08.o probe.o tmp
    ) >"$work/log" 2>&1 || {
        harmless_lines <"$work/log" >&2
        refuse "$compiler_name cannot compile the modules of MPI."
    }
}

# Succeeds if a folder belongs to root, to this user or to the owner of the installation, and not everybody can write to it.
# Users who can write to the folder decide what programs are linked with. Folders that a group can write to are accepted.
is_own() {
    # The owner and the mode, such as "0 1777".
    seen=$(stat -L -c '%u %a' -- "$1" 2>/dev/null) || return 1
    case ${seen% *} in
    0 | "$user" | "$installer") ;;
    *) return 1 ;;
    esac
    case $seen in
    *[2367]) return 1 ;;
    esac
}

# Succeeds for a folder in which no user can replace a file of another user. A folder with the sticky bit is such a folder.
is_safe_place() {
    is_own "$1" || case $seen in
    "0 "[1357]??? | "$user "[1357]??? | "$installer "[1357]???) ;;
    *) return 1 ;;
    esac
}

# Succeeds for modules that this user can read and that no untrusted user can have made.
is_usable() {
    [ -r "$1/libanympi_modules.a" ] && [ ! -h "$1" ] && is_own "$1" && is_safe_place "${1%/*}"
}

# Makes the folder for all modules. Beside the installation everybody must be able to read it.
make_place() {
    (
        if [ "$1" = "$beside" ]; then umask 022; else umask go-w; fi
        mkdir -p "$1"
    ) 2>/dev/null && [ -w "$1" ] && is_safe_place "$1"
}

# The complete folder is put into place by one rename, so that several compilations at the same time do no harm.
make_modules() {
    mask=$(umask)
    umask 022 # other users must be able to read the modules
    work=$(mktemp -d "$1/.new.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    trap 'exit 1' HUP INT TERM
    compile_modules
    chmod 755 "$work"
    mv -T "$work" "$modules" 2>/dev/null || is_usable "$modules" || refuse "cannot create the folder $modules."
    rm -rf "$work"
    trap - EXIT HUP INT TERM
    umask "$mask"
}

# Sets $modules. The modules are compiled once for each compiler and version, since no compiler reads the modules of another.
# Their place is ANYMPI_MODULES, or a folder of this installation, or the user's cache if that folder cannot be written.
# A folder that an untrusted user has made is not used: then the place gets another folder for this user.
find_modules() {
    case ${XDG_CACHE_HOME:-} in
    /*) cache=$XDG_CACHE_HOME ;;
    *) cache=${HOME:-/nonexistent}/.cache ;;
    esac
    case ${ANYMPI_MODULES:-/} in
    /*) ;;
    *) ANYMPI_MODULES=$PWD/$ANYMPI_MODULES ;; # the modules are compiled in another folder
    esac
    beside=${ANYMPI_MODULES:-$lib/anympi/modules}
    of_user=${ANYMPI_MODULES:-$cache/anympi/modules}
    user=$(id -u)
    installer=$(stat -L -c %u -- "$sources")
    identity=$($compiler --version 2>&1) || refuse "$compiler --version failed: $identity"
    compiler_name=$(printf '%s\n' "$identity" | head -n 1)
    sum=$({ printf '%s\n' "$identity"; cat "$sources/anympi_types.F90" "$sources/mpi.F90" "$sources/mpi_f08.F90"; } | cksum | tr ' ' -)
    key=$(printf '%s' "$compiler_name" | tr -d '()' | tr -c 'A-Za-z0-9.+-' _)-$sum
    for modules in "$beside/$key" "$of_user/$key" "$of_user/$key-$user"; do
        ! is_usable "$modules" || return 0
    done
    for modules in "$beside/$key" "$of_user/$key" "$of_user/$key-$user"; do
        folder=${modules%/*}
        if [ -e "$modules" ] || [ -h "$modules" ]; then
            say "$modules is ignored: it cannot be read, or another user could have written it."
        elif make_place "$folder"; then
            make_modules "$folder"
            return 0
        elif [ -w "$folder" ]; then
            say "$folder is ignored: it belongs to another user, or everybody can replace files in it."
        fi
    done
    refuse "there is no place for the modules of MPI: neither $beside nor $of_user is writable and safe from other users." \
        "Set ANYMPI_MODULES to a folder that can be written and is yours."
}

# Runs the compiler. If the compiler fails, prints after its errors which modules it lacks.
attempt() {
    "$@" && exit
    code=$?
    harmless_lines <"$modules/lacking" >&2
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
    # With mpif.h, calls of MPI_Send pass arguments of different types. gfortran 10 and newer refuses that without this option.
    case $identity in
    "GNU Fortran"*) [ "$($compiler -dumpversion | cut -d. -f1)" -lt 10 ] || dialect=-fallow-argument-mismatch ;;
    esac
}
