#!/usr/bin/env bash
# The hook of pre-commit: builds AuthGraph in pre-commit's clone the first time, then checks the given files. Files
# without a configuration are skipped.
set -euo pipefail
clone="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
if [ ! -f "$clone/engine/dist/cli/main.js" ]; then
  echo 'building authgraph (once)' >&2
  (cd "$clone" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && npm run -s build) >&2
fi
export PATH="$clone/node_modules/.bin:$PATH"
exec authgraph check --fail-on warning --skip-other-files -- "$@"
