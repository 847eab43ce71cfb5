#!/usr/bin/env bash
# Writes one matrix of all configurations below folders, as Markdown: checks, tests, and who gains or loses access.
#
#   fleet.sh REPORT [PATH…]
#
# Paths that are not folders are left out. AUTHGRAPH_BASE is the Git revision to compare with; without it, nothing is
# compared. AUTHGRAPH_FAIL_ON (warning), AUTHGRAPH_TARGET_VERSION, AUTHGRAPH_DIFF_FAIL_ON (gain) and
# AUTHGRAPH_REQUIRE_PROOF (none) are the values of `authgraph fleet`, whose exit status this is. A new group of a user who
# keeps access, even system:masters, is a change and not a gain.
set -euo pipefail
report=$1
shift
if [ $# -eq 0 ]; then set -- .; fi
# The repository may contain a file or a symbolic link with this name.
rm -f -- "$report"
folders=()
for path in "$@"; do
  if [ -d "$path" ]; then folders+=("$path"); fi
done
# Without a folder, the command would read the current one.
if [ ${#folders[@]} -eq 0 ]; then
  echo 'fleet.sh: none of the paths is a folder, so there is no matrix' >&2
  exit 2
fi
flags=(--fail-on "${AUTHGRAPH_FAIL_ON:-warning}")
if [ -n "${AUTHGRAPH_TARGET_VERSION:-}" ]; then flags+=(--target-version "$AUTHGRAPH_TARGET_VERSION"); fi
if [ -n "${AUTHGRAPH_BASE:-}" ]; then
  # A folder of the change must not take the place of a revision that was not fetched.
  base=$(git rev-parse --verify --quiet --end-of-options "$AUTHGRAPH_BASE^{commit}") || {
    echo "fleet.sh: Git has no commit $AUTHGRAPH_BASE here; fetch it first" >&2
    exit 2
  }
  flags+=("--base=$base:" --fail-on-change "${AUTHGRAPH_DIFF_FAIL_ON:-gain}")
  if [ -n "${AUTHGRAPH_REQUIRE_PROOF:-}" ]; then flags+=(--require-proof "$AUTHGRAPH_REQUIRE_PROOF"); fi
fi
authgraph fleet "${flags[@]}" --output markdown "--out=$report" -- "${folders[@]}"
