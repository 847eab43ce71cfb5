#!/usr/bin/env bash
# Builds the Go peer and installs the Node peers into a cache folder (BENCH_CACHE, default
# ~/.cache/authgraph-bench). Needs Go 1.26; the Node peers come from the repository's own packages.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${BENCH_CACHE:-$HOME/.cache/authgraph-bench}
mkdir -p "$cache"
(cd "$here/peers/go" && go build -o "$cache/go-apiserver" .)
echo "$cache"
