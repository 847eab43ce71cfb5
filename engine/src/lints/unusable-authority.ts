/**
 * Finds a certificate authority that cannot verify an issuer's certificate: it lacks the CA flag,
 * has expired, or is the server's own certificate. Every connection to the issuer then fails in the
 * TLS handshake.
 */
import type { Compilation } from '../compile/compile.ts';
import { authorityProblems } from '../formats/authority-problems.ts';
import { readCertificateBundle } from '../formats/x509/certificate.ts';
import { defineLint } from './parts/define-lint.ts';

interface Args {
  readonly problem: string;
}

/** A configuration and the time at which it is checked. */
export interface CheckedAt {
  readonly compilation: Compilation;
  /** Milliseconds since 1970; without it validity periods are not checked. */
  readonly now: number | undefined;
}

export const unusableAuthority = defineLint<Args, CheckedAt>({
  code: 'AG4022',
  name: 'unusable-authority',
  summary: 'A certificate authority cannot verify the certificates of the issuer.',
  message: ({ problem }) => problem,
  help: () =>
    'Use a valid certificate, with CA:TRUE, of the CA that issued the certificate of the server.',
  check({ compilation, now }, report) {
    for (const { issuer } of compilation.configuration?.jwt ?? []) {
      const bundle = issuer.certificateAuthority;
      if (bundle === undefined) continue;
      for (const problem of authorityProblems(readCertificateBundle(bundle.value), now))
        report(bundle.span, { problem });
    }
  },
});
