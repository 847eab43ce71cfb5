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

const reasons: readonly Reason[] = [
  {
    name: 'certificate-expired',
    text: 'certificate has expired or is not yet valid: current time (?<now>\\S+) is after (?<end>\\S+)',
    meaning: 'it, or a certificate above it, expired at {end}; the server’s clock said {now}',
    fix: 'Renew the certificate that ended then; compare the server’s clock if it should still be good.',
  },
  {
    name: 'certificate-not-yet-valid',
    text: 'certificate has expired or is not yet valid: current time (?<now>\\S+) is before (?<begin>\\S+)',
    meaning:
      'it, or a certificate above it, is valid from {begin} on; the server’s clock said {now}',
    fix: 'Set the clock of the server, or of who made the certificate.',
  },
  {
    name: 'certificate-purpose',
    text: 'certificate specifies an incompatible key usage',
    meaning:
      'it, or a certificate above it, is not made for clients (extended key usage clientAuth)',
    fix: 'Make it anew with the extended key usage clientAuth; a serving certificate does not do.',
  },
  {
    name: 'certificate-critical-extension',
    text: 'unhandled critical extension',
    meaning: 'it has an extension marked critical that the server does not know',
    fix: 'Make it anew without the extension, or with the extension not critical.',
  },
  {
    name: 'certificate-unknown-authority',
    text: 'certificate signed by unknown authority(?: \\(possibly because of (?<why>.*)\\))?',
    meaning: 'no chain leads from it to an authority of the bundle',
    fix: 'Compare its issuer with the bundle (openssl x509 -noout -issuer). The client has to send the intermediates; the bundle needs the authority that it uses now.',
  },
  {
    name: 'certificate-path-too-long',
    text: 'too many intermediates for path length constraint',
    meaning: 'an authority above it allows fewer authorities below itself than there are',
    fix: 'Sign it by an authority nearer to the root, or renew the authority with a greater path length.',
  },
  {
    name: 'certificate-name-not-permitted',
    text: 'a root or intermediate certificate is not authorized to sign for this name: (?<detail>.*)',
    meaning: 'an authority above it may not sign for such a name: {detail}',
    fix: 'Let another authority sign it, or leave the name out.',
  },
  {
    name: 'certificate-no-authority',
    text: 'certificate is not authorized to sign other certificates',
    meaning: 'a certificate that signed it is no authority',
    fix: 'Sign it by an authority (basicConstraints CA:TRUE).',
  },
  {
    name: 'certificate-no-chain',
    text: 'no valid chains built(?:: .*)?',
    meaning: 'chains were found, and none of them is good',
    fix: 'Look at each certificate of the chain: time, purpose and policies.',
  },
  {
    name: 'certificate-too-many-checks',
    text: 'signature check attempts limit reached while verifying certificate chain',
    meaning: 'more chains were possible than the server tries',
    fix: 'Send the intermediates of one chain, and nothing else.',
  },
];

const verifying =
  'verifying certificate SN=(?<serial>\\d*), SKID=(?<skid>[\\dA-F:]*), AKID=(?<akid>[\\dA-F:]*) failed: ';

const ofClient = reasons.map(
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
const ofProxy = reasons.map(
  ({ name, text, meaning, fix }): StagePattern => ({
    name: `proxy-${name}`,
    pattern: new RegExp(`^x509: ${text}$`, 's'),
    module: 'authenticating-proxy',
    flags: ['requestheader-client-ca-file'],
    refusal: certificateNotTrusted,
    meaning: `The authorities of proxies do not know the client certificate: ${meaning}. That is so for the certificate of every user, and counts for proxies alone; the message “verifying certificate …” says why a user was rejected.`,
    fix: `If a proxy showed it: ${fix}`,
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
    fix: 'Look at it with openssl x509 -noout -text, and at the authorities of the bundle.',
  },
  ...ofProxy,
  {
    name: 'proxy-name-not-allowed',
    pattern: /^x509: subject with cn=(?<name>.*) is not in the allowed list$/s,
    module: 'authenticating-proxy',
    flags: ['requestheader-allowed-names'],
    refusal: proxyNameNotAllowed,
    meaning:
      'A certificate of an authority of proxies came, and its common name “{name}” is not among those that may speak for others.',
    fix: 'Give the proxy a certificate with an allowed name, or add its name; names are exact.',
  },
  {
    name: 'certificate-unreadable',
    pattern:
      /^(?:x509: (?:invalid|malformed|unsupported|cannot) (?<why>.*)|refused: (?:more than \d+ certificates|certificates of more than \d+ bytes))$/s,
    module: 'client-certificate',
    refusal: certificateUnreadable,
    meaning: 'A certificate that the client sent cannot be read, or there are too many of them.',
    fix: 'Make it anew with an ordinary tool; send its intermediates and nothing else.',
  },
  {
    name: 'certificate-uid',
    pattern: /^expected 1 UID, but found multiple: \[(?<uids>.*)\]$/s,
    module: 'client-certificate',
    refusal: severalUids,
    meaning: 'The subject of the client certificate has several UIDs ({uids}), and a user has one.',
    fix: 'Make the certificate anew with one attribute 1.3.6.1.4.1.57683.2, or none.',
  },
  {
    name: 'certificate-uid',
    pattern: /^UID cannot be an empty string$/,
    module: 'client-certificate',
    refusal: severalUids,
    meaning: 'The subject of the client certificate has a UID that is empty.',
    fix: 'Make the certificate anew with a UID, or without the attribute.',
  },
  {
    name: 'certificate-uid',
    pattern: /^unable to parse UID into a string$/,
    module: 'client-certificate',
    refusal: severalUids,
    meaning: 'The subject of the client certificate has a UID that is no text.',
    fix: 'Make the certificate anew with the UID as a UTF8String, or without the attribute.',
  },
  {
    name: 'authority-bundle-unreadable',
    pattern: /^unable to load client CA (?:file|provider): (?<why>.*)$/s,
    flags: ['client-ca-file', 'requestheader-client-ca-file'],
    meaning: 'A bundle of authorities cannot be used: {why}.',
    fix: 'It must be a PEM file with one certificate or more.',
  },
  {
    name: 'authority-bundle-unreadable',
    pattern:
      /^error loading CA bundle for "(?<what>client-ca-bundle|[\w-]+)::(?<file>.*)": (?<why>.*)$/s,
    flags: ['client-ca-file', 'requestheader-client-ca-file'],
    meaning: 'The bundle of authorities in {file} cannot be used: {why}.',
    fix: 'It must be a PEM file with one certificate or more; the whole bundle counts as one.',
  },
  {
    name: 'authorities-overlap',
    pattern:
      /^--requestheader-client-ca-file and --client-ca-file contain overlapping certificates[;:] .*$/s,
    module: 'authenticating-proxy',
    flags: ['requestheader-client-ca-file', 'client-ca-file', 'requestheader-allowed-names'],
    meaning:
      'One authority signs both people and proxies: anyone with a client certificate could impersonate any user.',
    fix: 'Use an authority for proxies alone, or at least allow names that no person’s certificate has.',
  },
  {
    name: 'proxy-header-empty',
    pattern: /^(?:empty header "(?<header>.*)"|empty value in "(?<flag>requestheader-[\w-]+)")$/s,
    module: 'authenticating-proxy',
    meaning: 'A flag of the authenticating proxy has a value that is empty or blank.',
    fix: 'Remove the comma or the blank that makes it.',
  },
  {
    name: 'proxy-header-not-standard',
    pattern:
      /^--(?<flag>requestheader-[\w-]+) is set without specifying the standard (?<header>.*) - API aggregation will not work$/,
    module: 'authenticating-proxy',
    meaning:
      'Other servers of the cluster read the names from {header}, and the flag does not list it.',
    fix: 'Add the standard name to the list; the list may have others too.',
  },
];
