/** Checks a token in full, with the keys of its issuer, to see if it would be accepted. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { reveal, type Secret } from '../../model/secret.ts';
import type { Ports } from '../../ports/ports.ts';
import { peekToken } from '../../signed-token/parse.ts';
import { explainMessage } from '../explain/explain-message.ts';
import { whoamiToken } from '../whoami/whoami-token.ts';
import { type DoctorFinding, errorFinding, okFinding } from './finding.ts';

export interface TokenQuestion {
  readonly graph: AuthenticatorGraph;
  readonly token: Secret<string>;
  readonly ports: Ports;
  readonly signal: AbortSignal;
}

/** Returns the issuer that the token names, or `undefined` if it is not a JWT. */
export const issuerOfToken = (token: Secret<string>): string | undefined =>
  peekToken(reveal(token))?.payload.issuer;

/** Returns no findings for a token of another issuer. */
export const examineToken = async (
  node: JwtNode,
  { graph, token, ports, signal }: TokenQuestion,
): Promise<readonly DoctorFinding[]> => {
  if (issuerOfToken(token) !== node.issuerUrl) return [];
  const { decision, notReady } = await whoamiToken({ ...graph, nodes: [node] }, token, {
    issuer: node.issuerUrl,
    mode: 'product',
    explain: false,
    ports,
    signal,
  });
  if (notReady !== undefined)
    return [errorFinding('the token could not be verified: no keys are available')];
  if (decision.kind === 'accepted') {
    return [okFinding(`the token is accepted: ${decision.user.username}`)];
  }
  if (decision.kind === 'noOpinion') return [errorFinding('no authenticator accepts the token')];
  const { message } = decision.reason;
  return [errorFinding(`the token is rejected: ${message}`, explainMessage(message)?.fix ?? '')];
};
