#!/bin/sh
# Makes an authority and two users in the current folder. The keys are worth nothing: throw them away.
set -eu
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj '/CN=sample authority' \
  -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign -keyout ca.key -out ca.crt
# alice of no group; bob of two.
for user in alice=/CN=alice bob=/O=dev/O=ops/CN=bob; do
  name=${user%%=*}
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "${user#*=}" \
    -addext extendedKeyUsage=clientAuth -keyout "$name.key" -out "$name.csr"
  openssl x509 -req -in "$name.csr" -CA ca.crt -CAkey ca.key -days 30 -copy_extensions copyall -out "$name.crt"
done
