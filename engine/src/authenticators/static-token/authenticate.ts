/** Whose token is it? One look-up by keyed digest. */
import { type Decision, noOpinion } from '../../model/decision.ts';
import { reveal } from '../../model/secret.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Authenticator } from '../module.ts';
import type { StaticTokenMaterial } from './compile.ts';
import type { StaticTokenNode } from './node.ts';
import { staticTokenDigest } from './token-digest.ts';

/** A token that the file does not have is another module's, or nobody's. */
export const authenticateStaticToken = (
  node: StaticTokenNode,
  { digest }: Pick<Ports, 'digest'>,
  { userByDigest }: StaticTokenMaterial,
): Authenticator => ({
  decide({ token }, _waiter, trace): Decision {
    if (token === undefined) return noOpinion;
    const place = userByDigest.get(staticTokenDigest(reveal(token), digest));
    const user = place === undefined ? undefined : node.users[place];
    trace?.step({
      at: node.module,
      what: 'static token',
      outcome: user === undefined ? 'skipped' : 'passed',
      detail: user === undefined ? 'the file has no such token' : 'the file has the token',
    });
    if (user === undefined) return noOpinion;
    return {
      kind: 'accepted',
      by: node.module,
      audiences: [],
      user: { ...user, extra: new Map() },
    };
  },
  readiness: () => ({ ready: true }),
  close: () => Promise.resolve(),
});
