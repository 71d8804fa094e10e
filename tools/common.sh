# SPDX-License-Identifier: MIT
# Shared by the shell scripts of tools: messages, help, and the installation of what is missing on Debian and Ubuntu.

say() { printf '%s\n' "$*"; }
die() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; exit 1; }

# help_of <text> <arguments...>: prints the text and exits if the first argument asks for help. Its first line is the usage.
help_of() {
    help_text=$1
    case ${2:-} in -h | --help) say "$help_text"; exit 0 ;; esac
}
# wrong_usage <what>: for arguments that are wrong.
wrong_usage() { printf '%s: %s\n%s\n' "$(basename "$0")" "$*" "${help_text%%$'\n'*}" >&2; exit 2; }

missing_required=()
missing_optional=()

# need <test> <package>: the package is installed unless the test succeeds.
need() { eval "$1" >/dev/null 2>&1 || missing_required+=("$2"); }
# want <test> <package>: the same, but the run continues without it.
want() { eval "$1" >/dev/null 2>&1 || missing_optional+=("$2"); }

header() { local d; for d in /usr/include /usr/local/include /usr/include/*-linux-gnu; do [ -e "$d/$1" ] && return 0; done; return 1; }

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

install_missing() {
    [ ${#missing_required[@]} -eq 0 ] && [ ${#missing_optional[@]} -eq 0 ] && return 0
    if ! command -v apt-get >/dev/null; then
        [ ${#missing_required[@]} -eq 0 ] && return 0
        die "these packages are missing and apt-get is not here to install them: ${missing_required[*]}"
    fi
    if [ "$(id -u)" != 0 ] && ! command -v sudo >/dev/null; then
        [ ${#missing_required[@]} -eq 0 ] && return 0
        die "run this as root or install sudo: these packages are missing: ${missing_required[*]}"
    fi
    say "installing: ${missing_required[*]} ${missing_optional[*]}"
    export DEBIAN_FRONTEND=noninteractive
    as_root apt-get update -qq >/dev/null 2>&1 || say "apt-get update failed; going on with the package lists that are here"
    local apt=(apt-get install -y -qq --no-install-recommends) package
    if [ ${#missing_required[@]} -gt 0 ]; then
        as_root "${apt[@]}" "${missing_required[@]}" >/dev/null || die "apt-get could not install: ${missing_required[*]}"
    fi
    for package in "${missing_optional[@]}"; do
        as_root "${apt[@]}" "$package" >/dev/null 2>&1 || say "not available here, going on without: $package"
    done
}

need_build_tools() {
    need 'command -v g++' g++
    need 'command -v cmake' cmake
    need 'command -v ninja' ninja-build
    need 'header xtl/xsequence.hpp' xtl-dev
    need 'header xtensor/xtensor.hpp || header xtensor/containers/xtensor.hpp' libxtensor-dev
    need 'header xsimd/xsimd.hpp' libxsimd-dev
    need 'header CLI/CLI.hpp' libcli11-dev
    need 'header csv.h' libcsv-dev
    need 'header nlohmann/json.hpp' nlohmann-json3-dev
    want 'command -v gnuplot' gnuplot-nox
    want 'command -v dot' graphviz
}
