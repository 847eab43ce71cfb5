/**
 * Authenticator for service account tokens of the TokenRequest API. It verifies the signature, the
 * times and the objects that the token is bound to, in kube-apiserver's order. The service account
 * is always looked up.
 */
import { isAfter, isBefore } from '../../formats/go-time.ts';
import { accountNameDomains, auditKey, identityKey } from '../../model/api-domain.ts';
import { type Decision, noOpinion, type Rejection } from '../../model/decision.ts';
import { andThen } from '../../model/maybe-promise.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { TraceSink } from '../../model/trace.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import type { Ports } from '../../ports/ports.ts';
import { accountUser } from '../../resources/account-identity.ts';
import { boundClaimsReader } from '../../signed-token/account-claims.ts';
import { accountTokenTimes } from '../../signed-token/account-rejections.ts';
import type { BoundClaims, PublicClaims } from '../../signed-token/claim-types.ts';
import { memoizedHeaderReader } from '../../signed-token/header.ts';
import {
  type AccountVerdict,
  type AccountVerifier,
  verifyAccountToken,
} from '../../signed-token/verify-account.ts';
import { type Authenticator, rejectedBy, remarksOf } from '../module.ts';
import { peekRequest } from '../peek-token.ts';
import { boundObjectsProblem, traceStep } from './bound-objects.ts';
import type { ServiceAccountTokenMaterial } from './compile.ts';
import type { ServiceAccountTokenNode } from './node.ts';
import type { AccountTokenRules } from './token-rules.ts';

/** The tolerated clock difference, and how long deleted objects still count as existing. */
const leewayMs = 60_000;

export const linkServiceAccountToken = (
  node: ServiceAccountTokenNode,
  ports: Pick<Ports, 'clock' | 'metrics'>,
  material: ServiceAccountTokenMaterial,
): Authenticator => {
  const verifier: AccountVerifier<BoundClaims> = {
    at: node.module,
    issuers: new Set(node.issuers),
    keys: material.keys,
    apiAudiences: node.apiAudiences,
    mode: material.mode,
    readHeader: memoizedHeaderReader(),
    readClaims: boundClaimsReader(accountNameDomains(material.apiDomain)),
  };
  const names = identityNames(material.apiDomain);
  return {
    authenticate: (request, _waiter, trace) =>
      andThen(
        verifyAccountToken(request, () => peekRequest(request), verifier, trace),
        (verdict) =>
          decideVerified(verdict, {
            ports,
            names,
            objects: material.objects,
            rules: node.rules,
            trace,
          }),
      ),
  };
};

const identityNames = (domain: string) => ({
  credentialId: identityKey(domain, 'credential-id'),
  podName: identityKey(domain, 'pod-name'),
  podUid: identityKey(domain, 'pod-uid'),
  nodeName: identityKey(domain, 'node-name'),
  nodeUid: identityKey(domain, 'node-uid'),
  withoutAudience: auditKey(domain, 'legacy-token'),
  stale: auditKey(domain, 'stale-token'),
});

interface DecisionContext {
  readonly ports: Pick<Ports, 'clock' | 'metrics'>;
  readonly names: ReturnType<typeof identityNames>;
  readonly objects: ObjectView;
  readonly rules: AccountTokenRules;
  readonly trace: TraceSink | undefined;
}

type ValidToken = Extract<AccountVerdict<BoundClaims>, { kind: 'valid' }>;

const decideVerified = (
  verdict: AccountVerdict<BoundClaims>,
  context: DecisionContext,
): Decision | Promise<Decision> => {
  if (verdict.kind === 'other-issuer') return noOpinion;
  const { withoutAudience } = verdict;
  const annotations = new Map<string, string>();
  if (withoutAudience !== undefined) {
    annotations.set(context.names.withoutAudience, withoutAudience);
    context.ports.metrics.increment('serviceaccount_legacy_tokens_total');
  }
  if (verdict.kind === 'rejected') return rejected(verdict.rejection, annotations);
  const now = context.ports.clock.now();
  const problem = timesProblem(verdict.public, now);
  if (problem !== undefined) {
    if (context.trace !== undefined) traceStep(context.trace, 'times', problem.message);
    return rejected(problem, annotations);
  }
  const { objects, rules, trace } = context;
  const goneBefore = now - leewayMs;
  const checked = boundObjectsProblem(verdict.private, { objects, rules, trace, goneBefore });
  return andThen(checked, (problem) => {
    if (problem !== undefined) return rejected(problem, annotations);
    return accepted(verdict, { context, annotations, now });
  });
};

const rejected = (
  { code, message }: Rejection,
  annotations: ReadonlyMap<string, string>,
): Decision => ({
  ...rejectedBy('service-account-token', { code, message, at: 'service-account-token' }),
  ...remarksOf({ warnings: [], annotations }),
});

const timesProblem = (claims: PublicClaims, now: number): Rejection | undefined => {
  const { notBefore, expiry, issuedAt } = claims;
  if (notBefore !== undefined && isAfter(notBefore, now + leewayMs)) {
    return rejectionOf(accountTokenTimes, 'is not valid yet');
  }
  if (expiry !== undefined && isBefore(expiry, now - leewayMs)) {
    return rejectionOf(accountTokenTimes, 'has expired');
  }
  return issuedAt !== undefined && isAfter(issuedAt, now + leewayMs)
    ? rejectionOf(accountTokenTimes, 'is issued in the future')
    : undefined;
};

interface Acceptance {
  readonly context: DecisionContext;
  readonly annotations: Map<string, string>;
  readonly now: number;
}

const accepted = (
  { public: claims, private: bound, audiences }: ValidToken,
  { context, annotations, now }: Acceptance,
): Decision => {
  annotateStaleToken(claims, bound, { context, annotations, now });
  const { namespace, account } = bound;
  const extra = extraOf(claims, bound, context);
  const expiresAtMs = expiryMs(claims);
  return {
    kind: 'accepted',
    by: 'service-account-token',
    user: accountUser({ namespace, name: account.name, uid: account.uid, extra }),
    audiences,
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    ...remarksOf({ warnings: [], annotations }),
  };
};

/** Returns when the token expires, the leeway included. */
const expiryMs = ({ expiry }: PublicClaims): number | undefined =>
  expiry === undefined ? undefined : Number(expiry) * 1000 + leewayMs;

/** Adds an audit annotation if the token is older than a workload should use. */
const annotateStaleToken = (
  { subject }: PublicClaims,
  { warnAfter }: BoundClaims,
  { context, annotations, now }: Acceptance,
): void => {
  const { metrics } = context.ports;
  if (warnAfter === undefined || warnAfter === 0) return;
  if (!isBefore(warnAfter, now)) {
    metrics.increment('serviceaccount_valid_tokens_total');
    return;
  }
  const late = BigInt(Math.floor(now / 1000)) - BigInt(warnAfter);
  annotations.set(
    context.names.stale,
    `subject: ${subject}, seconds after warning threshold: ${BigInt.asIntN(64, late)}`,
  );
  metrics.increment('serviceaccount_stale_tokens_total');
};

const extraOf = (
  { id }: PublicClaims,
  { pod, node }: BoundClaims,
  { names, rules }: DecisionContext,
): ReadonlyMap<string, readonly string[]> => {
  const extra = new Map<string, readonly string[]>();
  if (pod !== undefined && pod.name !== '' && pod.uid !== '') {
    extra.set(names.podName, [pod.name]);
    extra.set(names.podUid, [pod.uid]);
  }
  if (id !== '' && rules.identifiers) extra.set(names.credentialId, [`JTI=${id}`]);
  const showsNode = pod === undefined || rules.podNodes;
  if (node !== undefined && node.name !== '' && showsNode) {
    extra.set(names.nodeName, [node.name]);
    if (node.uid !== '') extra.set(names.nodeUid, [node.uid]);
  }
  return extra;
};
