/**
 * Authenticator for requests from an authenticating proxy. The proxy's client certificate is
 * verified first; the `X-Remote-*` headers are read only if it is trusted.
 */
import { commonName } from '../../certificates/certificate.ts';
import { type ChainProblem, chainProblemMessage } from '../../certificates/chain-problem.ts';
import { certificateNotTrusted, certificateUnreadable } from '../../certificates/rejections.ts';
import { type PeerVerdict, peerVerifier } from '../../certificates/verify-peer.ts';
import { type Decision, noOpinion, type Rejection } from '../../model/decision.ts';
import type { HeaderList } from '../../model/header-list.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { TraceSink } from '../../model/trace.ts';
import type { Ports } from '../../ports/ports.ts';
import type { Authenticator } from '../module.ts';
import type { AuthenticatingProxyMaterial } from './compile.ts';
import { proxyUserReader } from './header-rules.ts';
import type { AuthenticatingProxyNode } from './node.ts';
import { proxyNameNotAllowed } from './rejections.ts';

type NeededPorts = Pick<Ports, 'clock' | 'certificateSignatures'>;

/**
 * The outcome of verifying the proxy's certificate. It is cached for the connection while the
 * verdict holds.
 */
type ProxyVerification =
  | { readonly kind: 'proxy' }
  | { readonly kind: 'rejected'; readonly decision: Decision }
  /** The decision is completed for each request, because its message contains the current time. */
  | { readonly kind: 'untrusted'; readonly problem: ChainProblem };

export const authenticateAuthenticatingProxy = (
  node: AuthenticatingProxyNode,
  { clock, certificateSignatures }: NeededPorts,
  { pool }: Pick<AuthenticatingProxyMaterial, 'pool'>,
): Authenticator => {
  const userOf = proxyUserReader(node.headers);
  const verifyProxy = peerVerifier(pool, certificateSignatures, (verdict) =>
    proxyVerification(verdict, node.allowedNames),
  );
  return {
    decide({ certificates, headers = [] }, _waiter, trace): Decision {
      if (certificates === undefined) return noOpinion;
      const now = clock.now();
      const proxy = verifyProxy(certificates, now);
      const decision = decisionFor(proxy, { now, userOf, headers });
      if (trace !== undefined) traceDecision(trace, decision);
      return decision;
    },
    readiness: () => ({ ready: true }),
    close: () => Promise.resolve(),
  };
};

const proxyVerification = (
  verdict: PeerVerdict,
  allowedNames: readonly string[],
): ProxyVerification => {
  switch (verdict.kind) {
    case 'unreadable':
      return {
        kind: 'rejected',
        decision: rejected(rejectionOf(certificateUnreadable, verdict.problem)),
      };
    case 'untrusted':
      return { kind: 'untrusted', problem: verdict.problem };
    case 'trusted': {
      const name = commonName(verdict.leaf);
      if (allowedNames.length === 0 || allowedNames.includes(name)) return { kind: 'proxy' };
      return { kind: 'rejected', decision: rejected(rejectionOf(proxyNameNotAllowed, name)) };
    }
  }
};

const decisionFor = (
  proxy: ProxyVerification,
  {
    now,
    userOf,
    headers,
  }: {
    readonly now: number;
    readonly userOf: ReturnType<typeof proxyUserReader>;
    readonly headers: HeaderList;
  },
): Decision => {
  if (proxy.kind === 'rejected') return proxy.decision;
  if (proxy.kind === 'untrusted')
    return rejected(rejectionOf(certificateNotTrusted, chainProblemMessage(proxy.problem, now)));
  const user = userOf(headers);
  if (user === undefined) return noOpinion;
  return { kind: 'accepted', by: 'authenticating-proxy', audiences: [], user };
};

const rejected = (reason: Rejection): Decision => ({
  kind: 'rejected',
  by: 'authenticating-proxy',
  reason,
});

const traceDecision = (trace: TraceSink, decision: Decision): void => {
  const at = 'authenticating-proxy';
  const what = 'authenticating proxy';
  if (decision.kind === 'accepted')
    trace.step({ at, what, outcome: 'passed', detail: `user ${decision.user.username}` });
  else if (decision.kind === 'rejected')
    trace.step({ at, what, outcome: 'failed', detail: decision.reason.message });
  else trace.step({ at, what, outcome: 'skipped', detail: 'no header has a username' });
};
