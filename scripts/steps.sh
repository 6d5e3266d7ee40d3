# shellcheck shell=bash
# Shared by .ci/run and scripts/check-long: runs steps, and says at the end what each cost, slowest first. Source it.
steps=$PWD/.build/steps
rm -rf "$steps"
mkdir -p "$steps"

step() { # name, command...
    local began=$SECONDS
    printf '\n── %s\n' "$1"
    "${@:2}"
    printf '%5d s  %s\n' $((SECONDS - began)) "$1" >>"$steps/seconds"
}

# Runs lists of commands beside each other, each list in its order. The output of a command appears when it has ended,
# and all of them run even if one fails.
lanes() { # a command a line; an empty line begins another list
    local lane=0 list running=() failed=0
    while IFS= read -r -d '' list; do
        lane=$((lane + 1))
        printf '%s\n' "$list" | lane "$lane" &
        running+=($!)
    done < <(awk -v RS= -v ORS='\0' 1 <<<"$1")
    for list in "${running[@]}"; do wait "$list" || failed=1; done
    return "$failed"
}

lane() { # number; reads commands
    local command began status failed=0 log="$steps/lane-$1.log"
    while IFS= read -r command; do
        began=$SECONDS status=0
        # None takes half an hour: one that does hangs.
        timeout --kill-after=10 1800 $command >"$log" 2>&1 </dev/null || status=$?
        flock "$steps" sh -c 'printf "\n── %s\n" "$1"; cat "$2"' - "$command" "$log"
        printf '%5d s  %s\n' $((SECONDS - began)) "$command$([ "$status" = 0 ] || echo ": FAILED ($status)")" >>"$steps/seconds"
        grep SKIPPED "$log" | sed "s#^#$command: #" >>"$steps/skipped" || true
        [ "$status" = 0 ] || failed=1
    done
    return "$failed"
}

finish_steps() {
    local status=$?
    printf '\n── seconds of each step\n'
    sort -rn "$steps/seconds" 2>/dev/null || true
    printf '%5d s  together\n' "$SECONDS"
    cat "$steps/skipped" 2>/dev/null || true
    if [ "$status" = 0 ]; then echo "All good."; else echo "FAILED"; fi
    exit "$status"
}
trap finish_steps EXIT
