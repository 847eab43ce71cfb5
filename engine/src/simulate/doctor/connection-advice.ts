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
    help: 'The name cannot be resolved here. Look for a typing error in issuer.url, and whether the machine of the API server asks the same name servers.',
  },
  {
    fits: /connection refused/,
    help: 'Nothing listens there. Look at the port in the URL, and whether the issuer runs.',
  },
  {
    fits: /no route to host|network is unreachable/,
    help: 'There is no way to it from here. The API server needs one: a route, a firewall rule, or an egress selector.',
  },
  {
    fits: /context deadline exceeded|i\/o timeout|Client\.Timeout/,
    help: 'It did not answer in time. A firewall that drops packets looks like this; the API server gives up after 30 seconds too.',
  },
  {
    fits: /incompatible key usage|invalid CA certificate|not a certificate authority|parent certificate cannot sign|unsuitable certificate purpose|unsupported certificate purpose/i,
    help: 'A certificate of its chain is not a certificate authority. Every certificate in issuer.certificateAuthority needs the CA flag (basic constraint CA:TRUE), and keyCertSign where it has a key usage.',
    concernsAuthority: true,
  },
  {
    fits: /certificate signed by unknown authority|unable to get local issuer|self.signed/i,
    help: 'Its certificate comes from an authority that is not trusted. Put the root that vouches for it into issuer.certificateAuthority, as PEM.',
    concernsAuthority: true,
  },
  {
    fits: /certificate has expired or is not yet valid/,
    help: 'Its certificate is out of date, or the clock of this machine is wrong.',
    concernsAuthority: true,
  },
  {
    fits: /certificate is (?:not )?valid for|cannot validate certificate|legacy Common Name/,
    help: 'Its certificate is for another name. Write the name that stands in it into issuer.url, or give the issuer a certificate for this one.',
  },
  {
    fits: /unsupported protocol scheme|it is not https/,
    help: 'Only https is asked. Serve it over TLS.',
  },
  {
    fits: /stopped after \d+ redirects/,
    help: 'It redirects in a circle, or to a page for people to log in. Give the final address as discoveryURL.',
  },
  {
    fits: /tls: |handshake|SSL|EOF|connection reset/i,
    help: 'The TLS handshake failed. Look whether it speaks TLS 1.2 or newer on that port, and whether a proxy stands between.',
  },
  {
    fits: /Proxy|proxyconnect/i,
    help: 'The proxy on the way refused. The API server uses the variables HTTPS_PROXY and NO_PROXY of its own environment.',
  },
  {
    fits: /^4(?:01|03) /,
    help: 'It asks for a login. Discovery document and key set have to be readable by everybody that the API server can be.',
  },
  {
    fits: /^404 /,
    help: 'There is no document at that address. It stands below the issuer: its URL with /.well-known/openid-configuration behind it. Where it stands elsewhere, say so with discoveryURL.',
  },
  { fits: /^5\d\d /, help: 'The issuer has a fault of its own. Try again, or ask its operator.' },
];

/**
 * Returns one or two sentences; for an unknown error, where to look. If a certificate authority of
 * the issuer is unusable, which is a finding of its own, the advice refers to that finding.
 */
export const connectionAdvice = (error: string, hasUnusableAuthority = false): string => {
  const found = advice.find(({ fits }) => fits.test(error));
  if (found === undefined)
    return 'Try the address from the machine of the API server, for instance with curl.';
  return hasUnusableAuthority && found.concernsAuthority === true
    ? 'The certificate of the issuer cannot be verified with the certificate authority above. Replace that first.'
    : found.help;
};
