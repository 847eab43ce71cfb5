/** Message patterns for client certificates, of users and of authenticating proxies. */
import { proxyNameNotAllowed } from '../../authenticators/authenticating-proxy/rejections.ts';
import { severalUids } from '../../authenticators/client-certificate/rejections.ts';
import { certificateNotTrusted, certificateUnreadable } from '../../certificates/rejections.ts';
import type { StagePattern } from './module-pattern.ts';

interface Reason {
  readonly name: string;
  /** The regular expression for Go's text after `x509: `, without anchors. */
  readonly text: string;
  readonly meaning: string;
  readonly fix: string;
}

/** Reasons for which Go rejects the certificate of a client or of a server. */
export const certificateReasons: readonly Reason[] = [
  {
    name: 'certificate-expired',
    text: 'certificate has expired or is not yet valid: current time (?<now>\\S+) is after (?<end>\\S+)',
    meaning: "it or a CA certificate in its chain expired at {end}; the server's time was {now}",
    fix: "Renew the certificate that expired then. If it should still be valid, check the server's clock.",
  },
  {
    name: 'certificate-not-yet-valid',
    text: 'certificate has expired or is not yet valid: current time (?<now>\\S+) is before (?<begin>\\S+)',
    meaning:
      "it or a CA certificate in its chain is not valid before {begin}; the server's time was {now}",
    fix: 'Correct the clock of the server or of the CA.',
  },
  {
    name: 'certificate-purpose',
    text: 'certificate specifies an incompatible key usage',
    meaning:
      'it or a CA certificate in its chain does not allow client authentication (extended key usage clientAuth)',
    fix: 'Issue a certificate with the extended key usage clientAuth; a serving certificate cannot be used.',
  },
  {
    name: 'certificate-critical-extension',
    text: 'unhandled critical extension',
    meaning: 'it has a critical extension that the server does not support',
    fix: 'Issue a certificate without the extension, or mark the extension as not critical.',
  },
  {
    name: 'certificate-unknown-authority',
    text: 'certificate signed by unknown authority(?: \\(possibly because of (?<why>.*)\\))?',
    meaning: 'it has no chain to a CA in the bundle',
    fix: 'Compare its issuer with the bundle (openssl x509 -noout -issuer). The client must send the intermediate certificates, and the bundle must contain the current root CA.',
  },
  {
    name: 'certificate-path-too-long',
    text: 'too many intermediates for path length constraint',
    meaning: 'a CA in its chain allows fewer intermediate CAs than the chain has',
    fix: 'Issue it from a CA closer to the root, or renew the CA with a greater path length.',
  },
  {
    name: 'certificate-name-not-permitted',
    text: 'a root or intermediate certificate is not authorized to sign for this name: (?<detail>.*)',
    meaning: 'the name constraints of a CA in its chain do not permit its name: {detail}',
    fix: 'Issue it from another CA, or remove the name.',
  },
  {
    name: 'certificate-no-authority',
    text: 'certificate is not authorized to sign other certificates',
    meaning: 'a certificate that signed it is not a CA certificate',
    fix: 'Issue it from a CA (basicConstraints CA:TRUE).',
  },
  {
    name: 'certificate-no-chain',
    text: 'no valid chains built(?:: .*)?',
    meaning: 'none of its chains is valid',
    fix: 'Check the validity period, key usages and policies of each certificate in the chain.',
  },
  {
    name: 'certificate-too-many-checks',
    text: 'signature check attempts limit reached while verifying certificate chain',
    meaning: 'it has more possible chains than the server tries',
    fix: 'Send only the intermediate certificates of one chain.',
  },
];

const verifying =
  'verifying certificate SN=(?<serial>\\d*), SKID=(?<skid>[\\dA-F:]*), AKID=(?<akid>[\\dA-F:]*) failed: ';

const ofClient = certificateReasons.map(
  ({ name, text, meaning, fix }): StagePattern => ({
    name,
    pattern: new RegExp(`^${verifying}x509: ${text}$`, 's'),
    module: 'client-certificate',
    flags: ['client-ca-file'],
    refusal: certificateNotTrusted,
    meaning: `The client certificate with the serial number {serial} is not trusted: ${meaning}.`,
    fix,
  }),
);

/**
 * Patterns without a serial number: the proxy's authorities check every certificate before it is
 * known whether the request has proxy headers.
 */
const ofProxy = certificateReasons.map(
  ({ name, text, meaning, fix }): StagePattern => ({
    name: `proxy-${name}`,
    pattern: new RegExp(`^x509: ${text}$`, 's'),
    module: 'authenticating-proxy',
    flags: ['requestheader-client-ca-file'],
    refusal: certificateNotTrusted,
    meaning: `The certificate cannot be verified with --requestheader-client-ca-file: ${meaning}. This is expected for user certificates; see the message “verifying certificate …” for the reason why a user was rejected.`,
    fix: `If it is a proxy's certificate: ${fix}`,
  }),
);

export const certificatePatterns: readonly StagePattern[] = [
  ...ofClient,
  {
    name: 'certificate-not-trusted',
    pattern: new RegExp(`^${verifying}(?<why>.*)$`, 's'),
    module: 'client-certificate',
    flags: ['client-ca-file'],
    refusal: certificateNotTrusted,
    meaning: 'The client certificate with the serial number {serial} is not trusted: {why}.',
    fix: 'Compare it (openssl x509 -noout -text) with the CA certificates in the bundle.',
  },
  ...ofProxy,
  {
    name: 'proxy-name-not-allowed',
    pattern: /^x509: subject with cn=(?<name>.*) is not in the allowed list$/s,
    module: 'authenticating-proxy',
    flags: ['requestheader-allowed-names'],
    refusal: proxyNameNotAllowed,
    meaning:
      'The certificate was issued by a CA in --requestheader-client-ca-file, but its common name “{name}” is not in --requestheader-allowed-names.',
    fix: 'Use a certificate with an allowed name, or add the name; it must match exactly.',
  },
  {
    name: 'certificate-unreadable',
    pattern:
      /^(?:x509: (?:invalid|malformed|unsupported|cannot) (?<why>.*)|refused: (?:more than \d+ certificates|certificates of more than \d+ bytes))$/s,
    module: 'client-certificate',
    refusal: certificateUnreadable,
    meaning: 'A client certificate cannot be parsed, or the client sent too many certificates.',
    fix: 'Issue the certificate with a standard tool, and send only its intermediate certificates with it.',
  },
  {
    name: 'certificate-uid',
    pattern: /^expected 1 UID, but found multiple: \[(?<uids>.*)\]$/s,
    module: 'client-certificate',
    refusal: severalUids,
    meaning:
      'The subject of the client certificate has several UIDs ({uids}), but a user has only one.',
    fix: 'Issue a certificate with at most one attribute 1.3.6.1.4.1.57683.2.',
  },
  {
    name: 'certificate-uid',
    pattern: /^UID cannot be an empty string$/,
    module: 'client-certificate',
    refusal: severalUids,
    meaning: 'The subject of the client certificate has an empty UID.',
    fix: 'Issue a certificate with a UID, or without the attribute.',
  },
  {
    name: 'certificate-uid',
    pattern: /^unable to parse UID into a string$/,
    module: 'client-certificate',
    refusal: severalUids,
    meaning: 'The subject of the client certificate has a UID that is not a string.',
    fix: 'Issue a certificate with the UID as a UTF8String, or without the attribute.',
  },
  {
    name: 'authority-bundle-unreadable',
    pattern: /^unable to load client CA (?:file|provider): (?<why>.*)$/s,
    flags: ['client-ca-file', 'requestheader-client-ca-file'],
    meaning: 'A CA bundle cannot be used: {why}.',
    fix: 'The file must contain one or more certificates in PEM.',
  },
  {
    name: 'authority-bundle-unreadable',
    pattern:
      /^error loading CA bundle for "(?<what>client-ca-bundle|[\w-]+)::(?<file>.*)": (?<why>.*)$/s,
    flags: ['client-ca-file', 'requestheader-client-ca-file'],
    meaning: 'The CA bundle in {file} cannot be used: {why}.',
    fix: 'The file must contain one or more certificates in PEM. One invalid certificate makes the whole bundle unusable.',
  },
  {
    name: 'authorities-overlap',
    pattern:
      /^--requestheader-client-ca-file and --client-ca-file contain overlapping certificates[;:] .*$/s,
    module: 'authenticating-proxy',
    flags: ['requestheader-client-ca-file', 'client-ca-file', 'requestheader-allowed-names'],
    meaning:
      'The same CA issues certificates to users and proxies: anyone with a client certificate could impersonate any user.',
    fix: 'Use a separate CA for proxies, or at least allow only names that no user certificate has.',
  },
  {
    name: 'proxy-header-empty',
    pattern: /^(?:empty header "(?<header>.*)"|empty value in "(?<flag>requestheader-[\w-]+)")$/s,
    module: 'authenticating-proxy',
    meaning: 'A flag of the authenticating proxy has an empty value.',
    fix: 'Remove the extra comma or space.',
  },
  {
    name: 'proxy-header-not-standard',
    pattern:
      /^--(?<flag>requestheader-[\w-]+) is set without specifying the standard (?<header>.*) - API aggregation will not work$/,
    module: 'authenticating-proxy',
    meaning: 'Other servers of the cluster read the header {header}, which the flag does not list.',
    fix: 'Add the standard header to the list; it may be listed with others.',
  },
];
