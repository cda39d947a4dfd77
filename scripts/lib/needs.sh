# The packages that the scripts need from the system, and the steps that they share. Scripts read this file with `.` from the repository's root.
# shellcheck shell=bash disable=SC2034

build_packages=(g++ cmake ninja-build python3 libcli11-dev libfmt-dev nlohmann-json3-dev libgtest-dev)
mpi_packages=(mpich libmpich-dev openmpi-bin libopenmpi-dev python3-pip)
site_packages=(doxygen python3 python3-venv)
browser_packages=(chromium fonts-dejavu-core)
test_packages=(autoconf automake bubblewrap clang clang-format clang-tidy doxygen flang-19 gfortran gfortran-11 iproute2 libeigen3-dev llvm make meson netpipe-mpich2 netpipe-openmpi openssh-client openssh-server patchelf pkg-config
    python3-dev python3-mpi4py python3-venv scalapack-mpi-test strace valgrind
    dpkg-dev fakeroot fish libcap2-bin lua5.3 lua-filesystem lua-json lua-posix lua-term man-db mmdebstrap munge r-base-core r-cran-rmpi shellcheck
    slurm-client slurmctld slurmd tcl tcsh zsh)

say() {
    printf '%s\n' "== $*"
}

fail() {
    printf 'anympi: %s\n' "$@" >&2
    exit 1
}

missing_packages() {
    local package
    for package in "$@"; do
        # Only "ii" is installed: a removed package may have left its settings behind.
        [[ $(dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null) == ii* ]] || echo "$package"
    done
}

# Installs the packages that are missing. A user without the right to install is told what to type.
need_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "This is not Debian: install these packages under the names that they have here: $*"
        return
    fi
    local missing
    mapfile -t missing < <(missing_packages "$@")
    [[ ${#missing[@]} -gt 0 ]] || return 0
    local as_root=()
    if [[ $EUID -ne 0 ]]; then
        command -v sudo >/dev/null || fail "these packages are needed; as root:" \
            "apt-get update && apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    say "Installing with apt: ${missing[*]}"
    # Only the messages of a failure are shown.
    local log
    log=$(mktemp)
    if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install --yes --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 20 "$log" >&2
        rm -f "$log"
        fail "apt could not install them; try: apt-get update && apt-get install ${missing[*]}"
    fi
    rm -f "$log"
}

# Builds the given targets of the release preset.
build_release() {
    say "Building (release; the first time it takes some minutes)"
    cmake --preset release --log-level=WARNING
    cmake --build --preset release --parallel "$(nproc)" --target "$@"
}
