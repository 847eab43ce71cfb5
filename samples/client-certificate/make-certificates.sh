#!/bin/sh
# Makes an authority and two users in the current folder. The keys are worth nothing: throw them away.
set -eu
# Runs openssl, whose progress is shown only if it fails.
quiet_openssl() {
  output=$(openssl "$@" 2>&1) || { printf '%s\n' "$output" >&2; exit 1; }
}
quiet_openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj '/CN=sample authority' \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign -keyout ca.key -out ca.crt
# alice of no group; bob of two.
for user in alice=/CN=alice bob=/O=dev/O=ops/CN=bob; do
  name=${user%%=*}
  quiet_openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "${user#*=}" \
    -addext extendedKeyUsage=clientAuth -keyout "$name.key" -out "$name.csr"
  quiet_openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -days 30 -copy_extensions copyall -out "$name.crt"
done
echo 'wrote ca.crt, alice.crt and bob.crt with their keys'
