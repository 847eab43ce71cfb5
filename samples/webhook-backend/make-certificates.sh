#!/bin/sh
# Makes what both sides of the webhook need, in the current folder: the certificate that authgraph shows,
# and the one that kube-apiserver shows to it. Each has an authority of its own, which signs nothing else. Arguments are
# further IP addresses of the server.
set -eu
# Runs openssl, whose progress is shown only if it fails.
quiet_openssl() {
  output=$(openssl "$@" 2>&1) || { printf '%s\n' "$output" >&2; exit 1; }
}
names=DNS:localhost,IP:127.0.0.1
for address; do names=$names,IP:$address; done
authority() {
  quiet_openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=$2" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign \
    -keyout "$1.key" -out "$1.crt"
}
certificate() {
  quiet_openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$2" \
    -addext "extendedKeyUsage=$4" -addext "subjectAltName=$names" \
    -keyout "$1.key" -out "$1.csr"
  quiet_openssl x509 -req -in "$1.csr" -CA "$3.crt" -CAkey "$3.key" -days 365 -copy_extensions copyall -out "$1.crt"
  rm "$1.csr"
}
authority authgraph-ca 'authgraph webhook'
authority client-ca 'authgraph webhook clients'
certificate authgraph localhost authgraph-ca serverAuth
certificate kube-apiserver kube-apiserver client-ca clientAuth
echo 'wrote authgraph-ca.crt, client-ca.crt, authgraph.crt and kube-apiserver.crt with their keys'
