#!/usr/bin/env bash
# Measures a debug build: 64 MiB of random bytes, and a form of 10,000 fields.
#
# Takes the options of the benchmarks, such as --json, --case debug-fields or --check Tests/Deep/debug-floors.json.
set -euo pipefail

package=$(dirname "${BASH_SOURCE[0]}")
scratch="$package/.build/unoptimised"
swift build --product benchmarks --package-path "$package" --scratch-path "$scratch" 1>&2
exec "$scratch/debug/benchmarks" --short "$@"
