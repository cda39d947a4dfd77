#!/bin/sh
# A launcher for the fake machine. It prints its arguments, and then runs the program once in the requested environment.
if [ "$*" = --mpi=list ]; then
    printf 'MPI plugin types are...\n\tnone\n\tpmi1\n'
    exit
fi
echo "launcher=$0"
echo "launcher_library_path=$LD_LIBRARY_PATH"
echo "words=$*"
while [ $# -gt 0 ]; do
    case $1 in
    -genv | -env) export "$2=$3" && shift 3 ;;
    -x)
        case $2 in *=*) export "$2" ;; esac
        shift 2
        ;;
    -n) shift 2 ;;
    -*) shift ;;
    *) break ;;
    esac
done
exec "$@"
