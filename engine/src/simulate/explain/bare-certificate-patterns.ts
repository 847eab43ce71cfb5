/**
 * Message patterns for certificate errors that were copied without the line that shows whose
 * certificate it is: Go words them alike for clients and for servers.
 */
import { certificateReasons } from './certificate-patterns.ts';
import type { StagePattern } from './module-pattern.ts';

const ofServers =
  'For an issuer, set certificateAuthority of its entry, or --oidc-ca-file, to its CA. For a webhook or a server in a kubeconfig, set certificate-authority.';

const ofNames =
  'Issue the serving certificate with this name as a subject alternative name, or use a name that it contains.';

const names: StagePattern = {
  name: 'server-certificate-name',
  pattern:
    /^(?:Get "[^"]*": )?(?:tls: failed to verify certificate: )?x509: (?<why>certificate (?:is valid for .*, not .*|is not valid for any names, but wanted to match .*|relies on legacy Common Name field, use SANs instead)|cannot validate certificate for .*)$/s,
  meaning: 'The certificate of a server does not contain the name by which it was called: {why}.',
  fix: ofNames,
};

const server: StagePattern = {
  name: 'server-certificate-untrusted',
  pattern:
    /^(?:Get "[^"]*": (?:tls: failed to verify certificate: )?|tls: failed to verify certificate: )x509: (?<why>.*)$/s,
  meaning: 'The certificate of the server that was called is not trusted: {why}.',
  fix: ofServers,
};

/** The patterns; the first match counts. */
export const bareCertificatePatterns: readonly StagePattern[] = [
  names,
  server,
  ...certificateReasons.map(
    ({ name, text, meaning, fix }): StagePattern => ({
      name: `peer-${name}`,
      pattern: new RegExp(`^x509: ${text}$`, 's'),
      meaning: `A certificate is not trusted: ${meaning}. Without its line, the message does not show whose certificate it is: that of a client in a line “Unable to authenticate the request”, that of an issuer, a webhook or another server elsewhere.`,
      fix: `For a client of --client-ca-file or --requestheader-client-ca-file: ${fix} ${ofServers}`,
    }),
  ),
];
