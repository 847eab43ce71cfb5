/**
 * Whom does an authenticating proxy speak for? Its certificate comes first; without a good one no
 * field of the request is looked at.
 */
import { commonNameOf } from '../../certificates/certificate.ts';
import { type ChainProblem, chainProblemText } from '../../certificates/chain-problem.ts';
import { certificateRefusals } from '../../certificates/rejections.ts';
import { type PeerVerdict, peerJudge } from '../../certificates/verify-peer.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { HeaderList } from '../../model/header-list.ts';
import type { TraceSink } from '../../model/trace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Authenticator } from '../module.ts';
import type { AuthenticatingProxyMaterial } from './compile.ts';
import { headerReader } from './header-rules.ts';
import type { AuthenticatingProxyNode } from './node.ts';
import { proxyNameRefusal } from './rejections.ts';

type NeededPorts = Pick<Ports, 'clock' | 'certificateSignatures'>;

/** What is the same for each request of a connection while the verdict holds. */
type Standing =
  | { readonly kind: 'proxy' }
  | { readonly kind: 'refused'; readonly decision: Decision }
  /** The time is part of its message. */
  | { readonly kind: 'untrusted'; readonly problem: ChainProblem };

export const authenticateAuthenticatingProxy = (
  node: AuthenticatingProxyNode,
  { clock, certificateSignatures }: NeededPorts,
  { pool }: Pick<AuthenticatingProxyMaterial, 'pool'>,
): Authenticator => {
  const userOf = headerReader(node.headers);
  const standingOf = peerJudge(pool, certificateSignatures, (verdict) =>
    standing(verdict, node.allowedNames),
  );
  return {
    decide({ certificates, headers = [] }, _waiter, trace): Decision {
      if (certificates === undefined) return noOpinion;
      const now = clock.now();
      const proxy = standingOf(certificates, now);
      const decision = decisionOn(proxy, { now, userOf, headers });
      if (trace !== undefined) tell(trace, decision);
      return decision;
    },
    readiness: () => ({ ready: true }),
    close: () => Promise.resolve(),
  };
};

const standing = (verdict: PeerVerdict, allowedNames: readonly string[]): Standing => {
  switch (verdict.kind) {
    case 'unreadable':
      return {
        kind: 'refused',
        decision: refused(certificateRefusals.unreadable.code, verdict.problem),
      };
    case 'untrusted':
      return { kind: 'untrusted', problem: verdict.problem };
    case 'trusted': {
      const name = commonNameOf(verdict.leaf);
      if (allowedNames.length === 0 || allowedNames.includes(name)) return { kind: 'proxy' };
      const message = `x509: subject with cn=${name} is not in the allowed list`;
      return { kind: 'refused', decision: refused(proxyNameRefusal.code, message) };
    }
  }
};

const decisionOn = (
  proxy: Standing,
  {
    now,
    userOf,
    headers,
  }: {
    readonly now: number;
    readonly userOf: ReturnType<typeof headerReader>;
    readonly headers: HeaderList;
  },
): Decision => {
  if (proxy.kind === 'refused') return proxy.decision;
  if (proxy.kind === 'untrusted')
    return refused(certificateRefusals.notTrusted.code, chainProblemText(proxy.problem, now));
  const user = userOf(headers);
  if (user === undefined) return noOpinion;
  return { kind: 'accepted', by: 'authenticating-proxy', audiences: [], user };
};

const refused = (code: string, message: string): Decision => ({
  kind: 'rejected',
  by: 'authenticating-proxy',
  reason: { code, message },
});

const tell = (trace: TraceSink, decision: Decision): void => {
  const at = 'authenticating-proxy';
  const what = 'authenticating proxy';
  if (decision.kind === 'accepted')
    trace.step({ at, what, outcome: 'passed', detail: `it names ${decision.user.username}` });
  else if (decision.kind === 'rejected')
    trace.step({ at, what, outcome: 'failed', detail: decision.reason.message });
  else trace.step({ at, what, outcome: 'skipped', detail: 'no field has a user name' });
};
