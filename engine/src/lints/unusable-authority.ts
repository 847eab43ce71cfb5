/**
 * Finds a certificate authority that cannot verify an issuer's certificate: it lacks the CA flag,
 * has expired, or is the server's own certificate. Every connection to the issuer then fails in the
 * TLS handshake.
 */
import type { Compilation } from '../compile/compile.ts';
import { defineRule } from '../diagnostics/rule.ts';
import { authorityProblems } from '../formats/certificate-authority.ts';
import { readCertificateBundle } from '../formats/x509/certificate.ts';

interface Args {
  readonly problem: string;
}

/** A configuration and the time at which it is checked. */
export interface CheckedAt {
  readonly compilation: Compilation;
  /** Milliseconds since 1970; without it validity periods are not checked. */
  readonly now: number | undefined;
}

export const unusableAuthority = defineRule<CheckedAt, Args>({
  code: 'AG4022',
  name: 'unusable-authority',
  severity: 'warning',
  source: 'lint',
  summary: 'A certificate authority cannot verify the certificates of the issuer.',
  message: ({ problem }) => problem,
  help: () =>
    'Use the certificate of the authority that issued the server’s certificate: valid now, with CA:TRUE.',
  check({ compilation, now }, report) {
    for (const { issuer } of compilation.configuration?.jwt ?? []) {
      const bundle = issuer.certificateAuthority;
      if (bundle === undefined) continue;
      for (const problem of authorityProblems(readCertificateBundle(bundle.value), now))
        report(bundle.span, { problem });
    }
  },
});
