#!/usr/bin/env bash
# Compares each changed configuration with its version in a Git revision, and writes a Markdown report:
#
#   access-difference.sh REVISION REPORT [PATH…]
#
# AUTHGRAPH_DIFF_FAIL_ON (gain) and AUTHGRAPH_REQUIRE_PROOF (none) are the values of `authgraph diff`. No token may be
# able to become a member of one of AUTHGRAPH_PROTECTED_GROUPS (system:masters), which must be proved. The exit status is
# 1 if a file fails, and 2 if a file could not be compared.
set -euo pipefail
revision=$1 report=$2
shift 2
if [ $# -eq 0 ]; then set -- .; fi
base=$(git rev-parse --verify --quiet --end-of-options "$revision^{commit}") || {
  echo "access-difference.sh: Git has no commit $revision here; fetch it first" >&2
  exit 2
}
status=0
fail_with() { if [ "$1" -gt "$status" ]; then status=$1; fi; }
: > "$report"
while IFS= read -r -d '' file; do
  if ! grep -qE 'AuthenticationConfiguration|oidc-issuer-url' -- "./$file"; then continue; fi
  if git cat-file -e "$base:./$file" 2> /dev/null; then
    proof=()
    if [ -n "${AUTHGRAPH_REQUIRE_PROOF:-}" ]; then proof=(--require-proof "$AUTHGRAPH_REQUIRE_PROOF"); fi
    authgraph diff --output markdown --fail-on "${AUTHGRAPH_DIFF_FAIL_ON:-gain}" "${proof[@]}" \
      -- "$base:./$file" "$file" >> "$report" || fail_with $?
  else
    printf '### Access difference: a new configuration\n\n' >> "$report"
  fi
  for group in ${AUTHGRAPH_PROTECTED_GROUPS-system:masters}; do
    printf '\n```text\n' >> "$report"
    authgraph who-can --color never --group "$group" --require-proof -- "$file" | sed 's/```/` ` `/g' >> "$report" ||
      fail_with "${PIPESTATUS[0]}"
    printf '```\n\n' >> "$report"
  done
done < <(git diff --name-only --relative --diff-filter=AMR --no-renames --no-ext-diff --no-textconv -z "$base" -- "$@")
if [ ! -s "$report" ]; then echo 'No configuration was changed.' > "$report"; fi
cat -- "$report"
exit "$status"
