/**
 * Authenticator for requests from an authenticating proxy. The proxy's client certificate is
 * verified first; the `X-Remote-*` headers are read only if it is trusted.
 */
import { commonName } from '../../certificates/certificate.ts';
import { type ChainProblem, chainProblemMessage } from '../../certificates/chain-problem.ts';
import { certificateNotTrusted, certificateUnreadable } from '../../certificates/rejections.ts';
import { type PeerVerdict, peerVerifier } from '../../certificates/verify-peer.ts';
import { type Decision, noOpinion, type Rejection } from '../../model/decision.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Authenticator, rejectedBy, traceDecision } from '../module.ts';
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

export const linkAuthenticatingProxy = (
  node: AuthenticatingProxyNode,
  { clock, certificateSignatures }: NeededPorts,
  { pool }: Pick<AuthenticatingProxyMaterial, 'pool'>,
): Authenticator => {
  const userOf = proxyUserReader(node.headers);
  const verifyProxy = peerVerifier(pool, certificateSignatures, (verdict) =>
    proxyVerification(verdict, node.allowedNames),
  );
  return {
    authenticate({ certificates, headers = [] }, _waiter, trace): Decision {
      if (certificates === undefined) return noOpinion;
      const now = clock.now();
      const proxy = verifyProxy(certificates, now);
      const decision =
        proxy.kind === 'proxy' ? userDecision(userOf(headers)) : rejection(proxy, now);
      if (trace !== undefined) traceDecision(trace, traced, decision);
      return decision;
    },
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

const userDecision = (user: UserInfo | undefined): Decision =>
  user === undefined
    ? noOpinion
    : { kind: 'accepted', by: 'authenticating-proxy', audiences: [], user };

const rejection = (proxy: Exclude<ProxyVerification, { kind: 'proxy' }>, now: number): Decision =>
  proxy.kind === 'rejected'
    ? proxy.decision
    : rejected(rejectionOf(certificateNotTrusted, chainProblemMessage(proxy.problem, now)));

const rejected = (reason: Rejection): Decision => rejectedBy('authenticating-proxy', reason);

const traced = {
  at: 'authenticating-proxy',
  what: 'authenticating proxy',
  skipped: 'no header has a username',
} as const;
