/**
 * Queries a live issuer as the API server does and reports in plain words what will fail in the
 * cluster. It uses the network, so it runs only on the user's request.
 */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { authorityProblems } from '../../formats/authority-problems.ts';
import { readCertificateBundle } from '../../formats/x509/certificate.ts';
import type { Secret } from '../../model/secret.ts';
import type { Ports } from '../../ports/ports.ts';
import { type DiscoveryReport, examineDiscovery } from './discovery-findings.ts';
import { type DoctorFinding, okFinding, warningFinding } from './finding.ts';
import { examineKeys } from './key-findings.ts';
import { examineToken } from './token-findings.ts';
import { type WatchedWeb, watchedWeb } from './watched-web.ts';

/** The diagnosis of one issuer. */
export interface IssuerDiagnosis {
  /** The authenticator: `jwt[0]`. */
  readonly id: string;
  readonly url: string;
  /** The findings, in the order in which a token meets the checks. */
  readonly findings: readonly DoctorFinding[];
}

export interface DiagnoseOptions {
  readonly graph: AuthenticatorGraph;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  /** The token to check; a token of another issuer is ignored. */
  readonly token?: Secret<string>;
}

/**
 * Sends one live issuer the requests that a server would send; a given token is checked in full.
 */
export const diagnoseIssuer = async (
  node: JwtNode,
  { graph, ports, signal, token }: DiagnoseOptions,
): Promise<IssuerDiagnosis> => {
  const web = watchedWeb(ports.http, ports.clock);
  const problems = problemsOfAuthority(node, ports);
  const hasUnusableAuthority = problems.length > 0;
  const discovery = await examineDiscovery(node, { web, signal, hasUnusableAuthority });
  const findings = [
    ...authorityFindings(problems, discovery),
    ...discovery.findings,
    ...clockFindings(web, ports),
  ];
  if (discovery.jwksUrl !== undefined) {
    const { clock, signatures } = ports;
    const { jwksUrl } = discovery;
    const options = { jwksUrl, web, clock, signatures, signal, hasUnusableAuthority };
    findings.push(...(await examineKeys(node, options)));
  }
  if (token !== undefined) {
    findings.push(...(await examineToken(node, { graph, token, ports, signal })));
  }
  return { id: node.id, url: node.issuerUrl, findings };
};

const problemsOfAuthority = (
  { certificateAuthority }: JwtNode,
  { clock }: Ports,
): readonly string[] =>
  certificateAuthority === undefined
    ? []
    : authorityProblems(readCertificateBundle(certificateAuthority), clock.now());

/**
 * An issuer can be reached nevertheless if the bundle has another authority, or the certificate of
 * the server itself.
 */
const authorityFindings = (
  problems: readonly string[],
  { jwksUrl }: DiscoveryReport,
): readonly DoctorFinding[] => {
  const prefix =
    jwksUrl === undefined
      ? ''
      : 'The issuer can be reached now, but perhaps not after its certificate is renewed. ';
  return problems.map((problem) =>
    warningFinding(
      `issuer.certificateAuthority: ${problem}`,
      `${prefix}Use a valid certificate, with CA:TRUE, of the CA that issued the certificate of the server.`,
    ),
  );
};

/** Reports whether a valid token would be accepted. */
export const isWell = ({ findings }: Pick<IssuerDiagnosis, 'findings'>): boolean =>
  findings.every(({ level }) => level !== 'error');

/** A token is rejected before its nbf, with a leeway of one minute. */
const clockSkewErrorMs = 60_000;
const noticeableMs = 5_000;

const clockFindings = ({ last }: WatchedWeb, { clock }: Ports): readonly DoctorFinding[] => {
  const theirs = Date.parse(last?.response.headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return [];
  const apart = clock.now() - theirs;
  if (Math.abs(apart) <= noticeableMs) return [okFinding('its clock matches this one')];
  const seconds = Math.round(Math.abs(apart) / 1000);
  const text = `this clock is ${seconds} s ${apart > 0 ? 'ahead of' : 'behind'} that of the issuer`;
  if (Math.abs(apart) < clockSkewErrorMs)
    return [warningFinding(text, 'Synchronize both clocks with NTP.')];
  return [
    warningFinding(
      text,
      apart > 0
        ? 'If the API server has the same clock, tokens expire too early. Synchronize both clocks with NTP.'
        : 'If the API server has the same clock, new tokens are rejected as not valid yet. Synchronize both clocks with NTP.',
    ),
  ];
};
