/** Authenticator for static tokens. Users are looked up by a keyed digest of the token. */
import { type Decision, noOpinion } from '../../model/decision.ts';
import { reveal } from '../../model/secret.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Authenticator } from '../module.ts';
import type { StaticTokenMaterial } from './compile.ts';
import type { StaticTokenNode } from './node.ts';
import { staticTokenDigest } from './token-digest.ts';

/** Creates the authenticator. It has no opinion on tokens that are not in the file. */
export const linkStaticToken = (
  node: StaticTokenNode,
  { digest }: Pick<Ports, 'digest'>,
  { userByDigest }: StaticTokenMaterial,
): Authenticator => ({
  authenticate({ token }, _waiter, trace): Decision {
    if (token === undefined) return noOpinion;
    const place = userByDigest.get(staticTokenDigest(reveal(token), digest));
    const user = place === undefined ? undefined : node.users[place];
    trace?.step({
      at: node.module,
      what: 'static token',
      outcome: user === undefined ? 'skipped' : 'passed',
      detail: user === undefined ? 'the token is not in the file' : 'the token is in the file',
    });
    if (user === undefined) return noOpinion;
    return {
      kind: 'accepted',
      by: node.module,
      audiences: [],
      user: { ...user, extra: new Map() },
    };
  },
});
