#!/usr/bin/env bash
# Builds the Go peer and installs the Node peers into a cache folder (BENCH_CACHE, default
# ~/.cache/authgraph-bench). Needs Go 1.26; the Node peers come from the repository's own packages,
# but for the language server, which is installed next to them.
#
#   bench/setup.sh [all|go|lsp]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${BENCH_CACHE:-$HOME/.cache/authgraph-bench}
what=${1:-all}
mkdir -p "$cache"
if [ "$what" != lsp ]; then
  (cd "$here/peers/go" && go build -o "$cache/go-apiserver" .)
fi
if [ "$what" != go ]; then
  npm install --prefix "$cache/yaml-language-server" --ignore-scripts --no-audit --no-fund --silent \
    yaml-language-server@2.0.0
fi
echo "$cache"
