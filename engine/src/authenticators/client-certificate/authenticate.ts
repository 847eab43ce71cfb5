/**
 * Authenticator for client certificates. The result applies to every request of the connection and
 * is cached only as long as a new verification would give the same result.
 */
import { certificateIdentifier } from '../../certificates/certificate.ts';
import { type ChainProblem, chainProblemMessage } from '../../certificates/chain-problem.ts';
import { certificateUnreadable } from '../../certificates/rejections.ts';
import { type PeerVerdict, peerVerifier } from '../../certificates/verify-peer.ts';
import { type Decision, noOpinion, type Rejection } from '../../model/decision.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { Ports } from '../../ports/ports.ts';
import { type Authenticator, rejectedBy, traceDecision } from '../module.ts';
import type { ClientCertificateMaterial } from './compile.ts';
import { identityDecision } from './identity.ts';
import type { ClientCertificateNode } from './node.ts';
import { clientNotTrusted } from './rejections.ts';

type NeededPorts = Pick<Ports, 'clock' | 'certificateSignatures' | 'digest' | 'metrics'>;

/**
 * The outcome of verifying the certificate. It is cached for the connection while the verdict
 * holds.
 */
interface Conclusion {
  /** Expiry of the leaf certificate, in milliseconds since 1970. */
  readonly notAfter?: number;
  readonly decision:
    | Decision
    /** The decision is completed for each request, because its message contains the current time. */
    | { readonly kind: 'untrusted'; readonly name: string; readonly problem: ChainProblem };
}

const expirationMetric = 'apiserver_client_certificate_expiration_seconds';

export const linkClientCertificate = (
  node: ClientCertificateNode,
  { clock, certificateSignatures, digest, metrics }: NeededPorts,
  { pool }: Pick<ClientCertificateMaterial, 'pool'>,
): Authenticator => {
  const conclude = (verdict: PeerVerdict): Conclusion => {
    switch (verdict.kind) {
      case 'unreadable':
        return { decision: rejected(rejectionOf(certificateUnreadable, verdict.problem)) };
      case 'untrusted': {
        const name = certificateIdentifier(verdict.leaf);
        const decision = { kind: 'untrusted', name, problem: verdict.problem } as const;
        return { notAfter: verdict.leaf.notAfter, decision };
      }
      case 'trusted': {
        const { leaf } = verdict;
        return { notAfter: leaf.notAfter, decision: identityDecision(leaf, node, digest) };
      }
    }
  };
  const concludePeer = peerVerifier(pool, certificateSignatures, conclude);
  return {
    authenticate({ certificates }, _waiter, trace): Decision {
      if (certificates === undefined) return noOpinion;
      const now = clock.now();
      const { notAfter, decision } = concludePeer(certificates, now);
      if (metrics.disabled === undefined && notAfter !== undefined)
        metrics.observe(expirationMetric, (notAfter - now) / 1000);
      const result =
        decision.kind === 'untrusted'
          ? rejected(
              rejectionOf(
                clientNotTrusted,
                decision.name,
                chainProblemMessage(decision.problem, now),
              ),
            )
          : decision;
      if (trace !== undefined) traceDecision(trace, traced, result);
      return result;
    },
  };
};

const rejected = (reason: Rejection): Decision => rejectedBy('client-certificate', reason);

const traced = {
  at: 'client-certificate',
  what: 'client certificate',
  skipped: 'the certificate has no common name',
} as const;
