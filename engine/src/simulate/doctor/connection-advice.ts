/** Maps a connection error to advice on how to fix it. */

interface Advice {
  readonly fits: RegExp;
  readonly help: string;
  /** True if an unusable certificate authority may be the cause. */
  readonly concernsAuthority?: true;
}

/** The advice, in the order in which the patterns are tried. */
const advice: readonly Advice[] = [
  {
    fits: /no such host|server misbehaving|lookup /,
    help: 'The host name cannot be resolved here. Check the spelling in issuer.url, and whether the API server uses the same DNS servers.',
  },
  {
    fits: /connection refused/,
    help: 'The connection was refused. Check the port in the URL, and whether the issuer is running.',
  },
  {
    fits: /no route to host|network is unreachable/,
    help: 'The issuer is not reachable from here. The API server needs a route and a firewall rule (an egress selector works with kube-apiserver only).',
  },
  {
    fits: /context deadline exceeded|i\/o timeout|Client\.Timeout/,
    help: 'It did not respond in time. A firewall may be dropping the packets. The API server times out after 30 seconds too.',
  },
  {
    fits: /incompatible key usage|invalid CA certificate|not a certificate authority|parent certificate cannot sign|unsuitable certificate purpose|unsupported certificate purpose/i,
    help: 'A certificate in its chain is not a CA certificate. Every certificate in issuer.certificateAuthority needs the CA flag (basic constraint CA:TRUE) and, if it has key usages, keyCertSign.',
    concernsAuthority: true,
  },
  {
    fits: /certificate signed by unknown authority|unable to get local issuer|self.signed/i,
    help: 'Its certificate was issued by an untrusted CA. Set issuer.certificateAuthority to the CA that issued it, as PEM.',
    concernsAuthority: true,
  },
  {
    fits: /certificate has expired or is not yet valid/,
    help: 'Its certificate has expired or is not valid yet, or the clock of this machine is wrong.',
    concernsAuthority: true,
  },
  {
    fits: /certificate is (?:not )?valid for|cannot validate certificate|legacy Common Name/,
    help: 'Its certificate is for another name. Use the name in the certificate in issuer.url, or issue a certificate for this name.',
  },
  {
    fits: /unsupported protocol scheme|it is not https/,
    help: 'Only https is supported. Serve it over TLS.',
  },
  {
    fits: /stopped after \d+ redirects/,
    help: 'It redirects in a loop or to a login page. Set discoveryURL to the final URL.',
  },
  {
    fits: /tls: |handshake|SSL|EOF|connection reset/i,
    help: 'The TLS handshake failed. Check whether the issuer supports TLS 1.2 or newer on this port, and whether a proxy intercepts TLS.',
  },
  {
    fits: /Proxy|proxyconnect/i,
    help: 'The proxy rejected the connection. The API server uses the variables HTTPS_PROXY and NO_PROXY of its own environment.',
  },
  {
    fits: /^4(?:01|03) /,
    help: 'The issuer requires authentication. Its discovery document and key set must be readable without credentials.',
  },
  {
    fits: /^404 /,
    help: 'There is no document at this URL. It is expected at the issuer URL followed by /.well-known/openid-configuration. If it is elsewhere, set discoveryURL.',
  },
  {
    fits: /^5\d\d /,
    help: 'The issuer returned a server error. Try again, or contact its operator.',
  },
];

/**
 * Returns one or two sentences; for an unknown error, where to look. If a certificate authority of
 * the issuer is unusable, which is a finding of its own, the advice refers to that finding.
 */
export const connectionAdvice = (error: string, hasUnusableAuthority = false): string => {
  const found = advice.find(({ fits }) => fits.test(error));
  if (found === undefined)
    return 'Try the URL from the machine of the API server, for example with curl.';
  return hasUnusableAuthority && found.concernsAuthority === true
    ? 'The certificate of the issuer cannot be verified with the certificate authority above. Replace it first.'
    : found.help;
};
