/**
 * A live issuer, asked as the API server asks it, and told in plain words what will fail in the
 * cluster. Only ever called because somebody asked for it: it goes over the network.
 */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { authorityProblems } from '../../formats/certificate-authority.ts';
import { readCertificateBundle } from '../../formats/x509/certificate.ts';
import type { Secret } from '../../model/secret.ts';
import type { Ports } from '../../ports/ports.ts';
import { examineClaims, type NamedClaims } from './claims-findings.ts';
import { examineDiscovery } from './discovery-findings.ts';
import { type DoctorFinding, doubtful, well } from './finding.ts';
import { examineKeys } from './key-findings.ts';
import { examineToken } from './token-findings.ts';
import { type WatchedWeb, watchedWeb } from './watched-web.ts';

/** What was found out about one issuer. */
export interface IssuerDiagnosis {
  /** `jwt[0]` */
  readonly id: string;
  readonly url: string;
  /** In the order in which a token meets them. */
  readonly findings: readonly DoctorFinding[];
}

export interface DiagnoseOptions {
  readonly graph: AuthenticatorGraph;
  readonly ports: Ports;
  readonly signal: AbortSignal;
  /** One of another issuer is not looked at. */
  readonly token?: Secret<string>;
  /** Claims in place of a token; those of another issuer are not looked at. */
  readonly claims?: NamedClaims;
}

/**
 * Asks one live issuer over the network what a server would ask it; a given token is checked in full.
 */
export const diagnoseIssuer = async (
  node: JwtNode,
  { graph, ports, signal, token, claims }: DiagnoseOptions,
): Promise<IssuerDiagnosis> => {
  const web = watchedWeb(ports.http, ports.clock);
  const discovery = await examineDiscovery(node, web, signal);
  const findings = [
    ...authorityFindings(node, ports),
    ...discovery.findings,
    ...clockFindings(web, ports),
  ];
  if (discovery.jwksUrl !== undefined) {
    const { clock, signatures } = ports;
    const { jwksUrl } = discovery;
    findings.push(...(await examineKeys(node, { jwksUrl, web, clock, signatures, signal })));
  }
  if (token !== undefined) {
    findings.push(...(await examineToken(node, { graph, token, ports, signal })));
  }
  if (claims !== undefined) {
    findings.push(...examineClaims(node, claims, { graph, now: ports.clock.now() }));
  }
  return { id: node.id, url: node.issuerUrl, findings };
};

const authorityFindings = (
  { certificateAuthority }: JwtNode,
  { clock }: Ports,
): readonly DoctorFinding[] =>
  certificateAuthority === undefined
    ? []
    : authorityProblems(readCertificateBundle(certificateAuthority), clock.now()).map((problem) =>
        doubtful(
          `issuer.certificateAuthority: ${problem}`,
          'Use the certificate of the authority that issued the server’s certificate: valid now, with CA:TRUE.',
        ),
      );

/** Whether nothing stands in the way of a good token. */
export const isWell = ({ findings }: IssuerDiagnosis): boolean =>
  findings.every(({ level }) => level !== 'error');

/** A token is refused before its nbf, but for a minute of patience. */
const patienceMs = 60_000;
const noticeableMs = 5_000;

const clockFindings = ({ last }: WatchedWeb, { clock }: Ports): readonly DoctorFinding[] => {
  const theirs = Date.parse(last?.response.headers.get('date') ?? '');
  if (Number.isNaN(theirs)) return [];
  const apart = clock.now() - theirs;
  if (Math.abs(apart) <= noticeableMs) return [well('its clock and this one agree')];
  const seconds = Math.round(Math.abs(apart) / 1000);
  const text = `this clock is ${seconds} s ${apart > 0 ? 'ahead of' : 'behind'} that of the issuer`;
  if (Math.abs(apart) < patienceMs) return [doubtful(text, 'Let both follow a time server.')];
  return [
    doubtful(
      text,
      apart > 0
        ? 'Where the API server has this clock, tokens end too early. Let both follow a time server.'
        : 'Where the API server has this clock, fresh tokens are refused as not valid yet. Let both follow a time server.',
    ),
  ];
};
