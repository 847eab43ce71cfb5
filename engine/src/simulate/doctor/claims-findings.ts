/**
 * Checks whether a token with these claims would be accepted. The signature is not checked, since
 * claims alone have none.
 */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { explainMessage } from '../explain/explain-message.ts';
import { isFromIssuer } from '../whoami/claims-decision.ts';
import { tokenChecks } from '../whoami/token-checks.ts';
import { whoamiClaims } from '../whoami/whoami-claims.ts';
import { type DoctorFinding, okFinding, warningFinding } from './finding.ts';

/** Sample claims with their name. */
export interface NamedClaims {
  readonly name: string;
  readonly claims: ClaimSet;
}

/**
 * Returns no findings for claims of another issuer. A sample may be meant to be rejected, so no
 * finding is an error.
 */
export const examineClaims = (
  node: JwtNode,
  { name, claims }: NamedClaims,
  { graph, now }: { readonly graph: AuthenticatorGraph; readonly now: number },
): readonly DoctorFinding[] => {
  if (!isFromIssuer(claims, node.issuerUrl)) return [];
  const alone = { ...graph, nodes: [node] };
  const { decision } = whoamiClaims(alone, claims, { mode: 'product', explain: false, now });
  const notes = tokenChecks(node, claims, now).filter(({ outcome }) => outcome === 'note');
  const findings = notes.map(({ what, detail = '' }) =>
    warningFinding(`${name}: ${detail}`, what === 'audience' ? audienceHelp : timeHelp),
  );
  if (decision.kind === 'rejected') {
    const { message } = decision.reason;
    const help = explainMessage(message)?.fix ?? '';
    return [...findings, warningFinding(`the claims of ${name} are rejected: ${message}`, help)];
  }
  return findings.length === 0 && decision.kind === 'accepted'
    ? [okFinding(`a token with the claims of ${name} is accepted as ${decision.user.username}`)]
    : findings;
};

const audienceHelp =
  'Configure the issuer to issue tokens for an audience of the configuration, or add their audience to issuer.audiences.';
const timeHelp = 'The times of a sample become outdated; a new token has current times.';
