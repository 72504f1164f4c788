# shellcheck shell=bash
# What `run`, `nightly` and `release` share: steps that run even if one before them failed. Source it.
#
# A step prints one line when it ends, with its time, and what it skipped. Its output is kept in a file, and shown at the
# end if it failed.

set -uo pipefail
# A process group for each lane, so that all of it can be ended.
set -m
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

# Warnings are errors in the checks alone: a flag in the manifest would reach every package that depends on this one.
strict=(-Xswiftc -warnings-as-errors)

TIMEFORMAT='%U %S'
work=$(mktemp -d)
mkdir "$work/failed" "$work/logs"
lanes=()
trap 'for lane in ${lanes[@]+"${lanes[@]}"}; do kill -- "-$lane" 2>/dev/null; done; rm -rf "$work"' EXIT

# Builds are written into the checkout: of one that is read-only, a copy is checked.
if [ ! -w . ]; then
    cp -R . "$work/checkout"
    chmod -R u+w "$work/checkout"
    cd "$work/checkout" || exit
fi

# step NAME COMMAND... : runs a command, or a function of the script, with errexit.
step() {
    local name=$1 log=$work/logs/$1 start=$SECONDS status verdict
    shift
    {
        time {
            (
                set -e
                "$@"
            ) >"$log" 2>&1 </dev/null
        }
    } 2>"$log.time"
    status=$?
    verdict=passed
    if [ "$status" != 0 ]; then
        verdict=FAILED
        touch "$work/failed/$name"
    fi
    printf '%s  %-16s %2d:%02d, %4.0f s of processor time\n' "$verdict" "$name" \
        $(((SECONDS - start) / 60)) $(((SECONDS - start) % 60)) "$(awk '{ print $1 + $2 }' "$log.time")"
    grep -a '^skipped:' "$log" | sed "s/^/        /"
    return 0
}

# lane FUNCTION : runs the steps of a function beside those of others, until `join`.
lane() {
    "$1" &
    lanes+=($!)
}

join() {
    local lane
    for lane in ${lanes[@]+"${lanes[@]}"}; do
        # A step that fails does not end its lane; what does would leave out the steps after it.
        if ! wait "$lane"; then
            echo "a lane ended before its last step" >"$work/logs/lane-$lane"
            touch "$work/failed/lane-$lane"
        fi
    done
    lanes=()
}

# conclude : shows the output of the steps that failed, and exits.
conclude() {
    local name
    for name in $(ls "$work/failed"); do
        printf '\n== FAILED: %s\n' "$name"
        tail -n 200 "$work/logs/$name"
    done
    printf '\n%d steps failed, %d:%02d\n' "$(ls "$work/failed" | wc -l)" $((SECONDS / 60)) $((SECONDS % 60))
    [ ! -s "$work/tests" ] || cat "$work/tests"
    [ -z "$(ls "$work/failed")" ]
    exit
}
