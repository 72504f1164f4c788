#!/usr/bin/env bash
# Both directions: clients of others send to us, and servers of others read from us. Installs what it needs.
#   Tests/Interop/all.sh [--light] [--tables] FORMDATA
set -euo pipefail
here=$(dirname "$0")
python3 "$here/Capture/capture.py" --install "$@"
python3 "$here/Servers/accepted.py" --install "$@"
light=()
[[ " $* " == *" --light "* ]] && light=(--light)
python3 "$here/Servers/strict.py" --install ${light[@]+"${light[@]}"}
