/** The claims of a token for the decision log, if they are logged. */

import { type ClaimRecord, claimRecord } from '../../authenticators/jwt/claim-record.ts';
import type { Decision } from '../../model/decision.ts';
import type { AuthenticationRequest } from '../../model/request.ts';
import { reveal } from '../../model/secret.ts';
import { peekToken } from '../../signed-token/parse.ts';
import type { RequestContext } from './request-services.ts';

/** Returns the claims of a token about which the JWT authenticator has decided. */
export const loggedClaims = (
  decision: Decision | undefined,
  token: AuthenticationRequest['token'],
  { services, generation }: Pick<RequestContext, 'services' | 'generation'>,
): ClaimRecord | undefined => {
  const { decisionClaims: options } = services;
  if (options === undefined || token === undefined || decision === undefined) return undefined;
  if (decision.kind === 'noOpinion' || decision.by !== 'jwt') return undefined;
  const payload = peekToken(reveal(token))?.payload;
  const literals = generation.claimLiterals?.();
  if (payload === undefined || literals === undefined) return undefined;
  return claimRecord(payload, { decision, literals, options });
};
