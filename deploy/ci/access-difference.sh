#!/usr/bin/env bash
# Compares each changed configuration with its version in a Git revision, and writes a Markdown report:
#
#   access-difference.sh REVISION REPORT [PATH…]
#
# AUTHGRAPH_DIFF_FAIL_ON (gain) and AUTHGRAPH_REQUIRE_PROOF (none) are the values of `authgraph diff`, for which a new
# group of a user who keeps access is a change and not a gain. No token may map to one of
# AUTHGRAPH_PROTECTED_GROUPS (system:masters), which must be proved. A new configuration is checked instead of compared.
# The exit status is 1 if a file fails, and 2 if a file could not be compared.
set -euo pipefail
revision=$1 report=$2
shift 2
if [ $# -eq 0 ]; then set -- .; fi
draft=$(mktemp)
token=
finish() {
  rm -f -- "$draft"
  if [ -n "$token" ]; then printf '\n::%s::\n' "$token"; fi
}
trap finish EXIT
# The report contains text of the repository, in which the runner of GitHub would find workflow commands.
if [ -n "${GITHUB_ACTIONS:-}" ]; then
  exec 2>&1
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "::stop-commands::$token"
fi
# The repository may contain a file or a symbolic link with this name.
rm -f -- "$report"
base=$(git rev-parse --verify --quiet --end-of-options "$revision^{commit}") || {
  echo "access-difference.sh: Git has no commit $revision here; fetch it first" >&2
  exit 2
}
# A file is preferred to a revision with the same name.
if [ -e "$base:" ]; then
  echo "access-difference.sh: rename the folder $base:, which hides the files of this commit" >&2
  exit 2
fi
# The report names the revision as it was given, unless that could be a flag or a file.
shown=$base
if [[ $revision =~ ^[A-Za-z0-9][A-Za-z0-9._/-]*$ && ! -e $revision: ]]; then shown=$revision; fi
fail_on=${AUTHGRAPH_DIFF_FAIL_ON:-gain}
proof=()
if [ -n "${AUTHGRAPH_REQUIRE_PROOF:-}" ]; then proof=(--require-proof "$AUTHGRAPH_REQUIRE_PROOF"); fi
status=0
fail_with() { if [ "$1" -gt "$status" ]; then status=$1; fi; }

# Succeeds if standard input contains a configuration, or cannot be checked.
has_configuration() {
  local found
  found=$(authgraph check --skip-other-files --output json -) || [ $? -eq 1 ] || return 0
  [[ $found != *'"files": []'* ]]
}

# Prints a heading with a file name, whose special characters are escaped.
heading() {
  local name
  name=$(LC_ALL=C; printf '%q' "$2")
  printf '### Access difference: %s\n\n`%s`\n\n' "$1" "${name//\`/\'}"
}

# Runs a command, and prints its output as a code block that the output cannot end.
code_block() {
  printf '\n```text\n'
  "$@" 2>&1 | sed 's/```/` ` `/g' || fail_with "${PIPESTATUS[0]}"
  printf '```\n\n'
}

while IFS=' ' read -r -d '' old_mode _ old_blob _ state; do
  IFS= read -r -d '' old
  file=$old
  case $state in [RC]*) IFS= read -r -d '' file ;; esac
  before=false after=false
  if [ -f "./$file" ] && has_configuration < "./$file"; then after=true; fi
  case $old_mode in
    # Git does not follow a symbolic link of a revision, so the comparison fails.
    :120000) before=$after ;;
    :100*)
      if ! git cat-file -e "$old_blob" || has_configuration < <(git cat-file blob "$old_blob"); then before=true; fi
      ;;
  esac
  case $before,$after in
    true,true)
      authgraph diff --output markdown --fail-on "$fail_on" "${proof[@]}" -- "$shown:./$old" "./$file" >> "$draft" ||
        fail_with $?
      ;;
    false,true)
      heading 'a new configuration' "$file" >> "$draft"
      code_block authgraph check --color never -- "./$file" >> "$draft"
      ;;
    true,false)
      heading 'a configuration was removed' "$file" >> "$draft"
      case ,$fail_on,${AUTHGRAPH_REQUIRE_PROOF:-}, in *,lose,*) fail_with 1 ;; esac
      if [ "$state" != D ]; then
        echo 'The file exists, but no configuration was found in it.' >> "$draft"
        fail_with 2
      fi
      ;;
  esac
  if ! $after; then continue; fi
  for group in ${AUTHGRAPH_PROTECTED_GROUPS-system:masters}; do
    result=0
    found=$(authgraph who-can --color never --group "$group" --require-proof -- "./$file" 2>&1) || result=$?
    fail_with "$result"
    mark='✅ proved' && if [ "$result" -ne 0 ]; then mark='❌ not proved'; fi
    printf '%s: no one can be in the group `%s`\n' "$mark" "$group" >> "$draft"
    code_block printf '%s\n' "$found" >> "$draft"
  done
done < <(git diff --raw --no-abbrev --relative -M --no-ext-diff --no-textconv -z "$base" -- "$@")
if [ ! -s "$draft" ]; then echo 'No configuration was changed.' > "$draft"; fi
# noclobber opens no existing file.
(set -C && cat -- "$draft" > "$report")
cat -- "$draft"
exit "$status"
