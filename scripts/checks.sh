# shellcheck shell=bash
# Shared by scripts/check-*: a temporary folder, a private cluster and a daemon in it, and the installation of missing
# tools. Source it; it changes to the repository's root.
#
# Environment: CONFIGURATION, which build: debug (default) or release; or BIN, a folder with both programs.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 70

# shellcheck disable=SC2034 # The checks use it.
bin=$(cd "${BIN:-.build/${CONFIGURATION:-debug}}" 2>/dev/null && pwd) && [ -x "$bin/tributary" ] && [ -x "$bin/tributaryd" ] || {
    echo "No programs in ${BIN:-.build/${CONFIGURATION:-debug}}. Run make test or make build, or set BIN=FOLDER." >&2
    exit 64
}
folder=$(mktemp -d "${TMPDIR:-/tmp}/tributary-check.XXXXXX")
# The account of the PostgreSQL server must be able to enter it.
chmod 755 "$folder"
export TRIBUTARY_HOME=$folder/home
unset DATABASE_URL TRIBUTARY_DATABASE_URL
daemon=""
stub=""
failures=0

say() { printf '%s\n' "$*"; }
fail() {
    say "FAILED: $*"
    failures=$((failures + 1))
}
skip() { say "SKIPPED: $*"; }

# The folder of the private cluster.
postgres_folder() { head -n 1 "$TRIBUTARY_HOME/postgres/location" 2>/dev/null || echo "$TRIBUTARY_HOME/postgres"; }

finish() {
    status=$?
    trap - EXIT
    [ -z "$stub" ] || kill "$stub" 2>/dev/null || true
    if [ -n "$daemon" ] && kill -0 "$daemon" 2>/dev/null; then
        kill -TERM "$daemon"
        wait "$daemon" || true
    fi
    location=$(TRIBUTARY_HOME=$folder/home postgres_folder)
    if server=$(head -n 1 "$location/data/postmaster.pid" 2>/dev/null); then
        kill -QUIT "$server" 2>/dev/null || true
        for _ in $(seq 200); do
            kill -0 "$server" 2>/dev/null || break
            sleep 0.05
        done
    fi
    case "$location" in
    /var/lib/tributary/?*) rm -rf "$location" ;;
    esac
    rm -rf "$folder"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

install_packages() { # Debian packages...
    command -v apt-get >/dev/null 2>&1 || return 1
    as_root=""
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null 2>&1 || return 1
        as_root="sudo -n"
    fi
    say "Installing $*"
    install="$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $*"
    # Checks that run beside each other take turns.
    {
        flock 9
        { $install || { $as_root apt-get update -q && $install; }; } >"$folder/install.log" 2>&1
    } 9>"${TMPDIR:-/tmp}/tributary-install.lock"
}

# Makes sure that a program is there; installs it if it can.
have() { # program, Debian packages...
    command -v "$1" >/dev/null 2>&1 && return 0
    install_packages "${@:2}" && command -v "$1" >/dev/null 2>&1
}

# Makes sure that Python packages are there, in a virtual environment that stays under .build for the next time.
# If it fails, the reason is in the log (`why_no_python`).
have_python() { # folder, pip's arguments...
    local venv=$1 wanted
    wanted="${*:2} $(for argument in "${@:2}"; do [ ! -f "$argument" ] || cksum <"$argument"; done)"
    [ "$(cat "$venv/.complete" 2>/dev/null)" = "$wanted" ] && return 0
    have python3 python3 || return 1
    rm -rf "$venv"
    python3 -m venv "$venv" >"$folder/venv.log" 2>&1 || {
        # Debian ships a part of the venv module in a package of its own.
        rm -rf "$venv"
        install_packages python3-venv || return 1
        python3 -m venv "$venv" >>"$folder/venv.log" 2>&1 || return 1
    }
    "$venv/bin/pip" install -q --disable-pip-version-check "${@:2}" >>"$folder/venv.log" 2>&1 || return 1
    printf '%s\n' "$wanted" >"$venv/.complete"
}
why_no_python() { tail -n 1 "$folder/venv.log" 2>/dev/null || true; }

# Sets daemon and base.
start_daemon() {
    "$bin/tributaryd" --port 0 2>"$folder/daemon.log" >/dev/null &
    daemon=$!
    for _ in $(seq 600); do
        address=$(sed -n 's/.*address=\([0-9.:]*\).*/\1/p' "$folder/daemon.log" | head -n 1)
        [ -n "$address" ] && break
        kill -0 "$daemon" 2>/dev/null || break
        sleep 0.05
    done
    if [ -z "${address:-}" ]; then
        cat "$folder/daemon.log"
        say "FAILED: the daemon did not start"
        exit 1
    fi
    # shellcheck disable=SC2034 # The checks use it.
    base=http://$address
}

# Starts scripts/stub.py before the daemon. Sets its address; what it gets is in $folder/requests.
start_stub() { # answers...
    : >"$folder/stub"
    python3 scripts/stub.py --daemon "$base" --log "$folder/requests" "$@" >"$folder/stub" 2>"$folder/stub.log" &
    stub=$!
    for _ in $(seq 200); do
        address=$(cat "$folder/stub")
        [ -n "$address" ] && break
        sleep 0.05
    done
}

# Checks that the daemon's log holds no key.
check_log_of_keys() { # keys...
    for key in "$@"; do
        if grep -qF -- "$key" "$folder/daemon.log"; then fail "a key is in the daemon's log"; fi
    done
}
