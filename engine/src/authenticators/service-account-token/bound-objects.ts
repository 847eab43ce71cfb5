/** Checks that the objects a token is bound to exist and have the UIDs in its claims. */
import type { Rejection } from '../../model/decision.ts';
import type { JsonObject } from '../../model/json.ts';
import { andThen, firstResult, type MaybePromise } from '../../model/maybe-promise.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { TraceSink } from '../../model/trace.ts';
import type { Lookup, ObjectView } from '../../ports/object-view.ts';
import { type LiveObject, liveObject } from '../../resources/live-object.ts';
import {
  accountDeleted,
  accountNotFound,
  accountReplaced,
  accountTokenInvalidated,
  boundObjectReplaced,
  nodeBindingDisabled,
} from '../../signed-token/account-rejections.ts';
import type { BoundClaims, ObjectClaim } from '../../signed-token/claim-types.ts';
import { objectsUnavailable } from '../rejections.ts';
import type { AccountTokenRules } from './token-rules.ts';

export interface ObjectContext {
  readonly objects: ObjectView;
  readonly rules: Pick<AccountTokenRules, 'nodeValidation'>;
  readonly trace: TraceSink | undefined;
  /** Milliseconds since 1970. An object whose deletion time is earlier counts as deleted. */
  readonly goneBefore: number;
}

/** Checks the objects in order and returns the first problem. */
export const boundObjectsProblem = (
  claims: BoundClaims,
  context: ObjectContext,
): MaybePromise<Rejection | undefined> =>
  firstResult(bindingsOf(claims), (binding) => checkBinding(binding, context));

const checkBinding = (
  binding: Binding,
  { objects, rules, goneBefore, trace }: ObjectContext,
): MaybePromise<Rejection | undefined> => {
  const { resource, namespace, claim, kind } = binding;
  if (kind === 'node' && !rules.nodeValidation) {
    return traceProblem(binding, rejectionOf(nodeBindingDisabled), trace);
  }
  return andThen(objects.find({ resource, namespace, name: claim.name }), (lookup) => {
    const problemOf = kind === 'account' ? accountProblem : boundObjectProblem;
    return traceProblem(binding, problemOf(lookup, binding, goneBefore), trace);
  });
};

const traceProblem = (
  { kind }: Binding,
  problem: Rejection | undefined,
  trace: TraceSink | undefined,
): Rejection | undefined => {
  if (trace !== undefined) {
    traceStep(trace, kind === 'account' ? 'account' : `bound ${kind}`, problem?.message);
  }
  return problem;
};

/** An object that the token is bound to. */
interface Binding {
  readonly kind: 'account' | 'secret' | 'pod' | 'node';
  readonly resource: string;
  readonly namespace: string;
  readonly claim: ObjectClaim;
}

/**
 * Lists the objects to check. The node of a token that is bound to a pod is not checked: the pod is
 * sufficient.
 */
const bindingsOf = (claims: BoundClaims): readonly Binding[] => {
  const { namespace, account, secret, pod, node } = claims;
  const bindings: Binding[] = [
    { kind: 'account', resource: 'serviceaccounts', namespace, claim: account },
  ];
  if (secret !== undefined) {
    bindings.push({ kind: 'secret', resource: 'secrets', namespace, claim: secret });
  }
  if (pod !== undefined) bindings.push({ kind: 'pod', resource: 'pods', namespace, claim: pod });
  else if (node !== undefined) {
    bindings.push({ kind: 'node', resource: 'nodes', namespace: '', claim: node });
  }
  return bindings;
};

const accountProblem = (
  lookup: Lookup,
  { namespace, claim }: Binding,
  goneBefore: number,
): Rejection | undefined => {
  if (lookup.kind === 'unavailable') return rejectionOf(objectsUnavailable, lookup.reason);
  if (lookup.kind === 'missing') return rejectionOf(accountNotFound, claim.name);
  const account = cachedLiveObject(lookup.object);
  if (account.uid !== claim.uid) return rejectionOf(accountReplaced, account.uid, claim.uid);
  return isGone(account, goneBefore)
    ? rejectionOf(accountDeleted, `${namespace}/${claim.name}`)
    : undefined;
};

const boundObjectProblem = (
  lookup: Lookup,
  { kind, claim: { uid } }: Binding,
  goneBefore: number,
): Rejection | undefined => {
  if (lookup.kind === 'unavailable') {
    return rejectionOf(objectsUnavailable, accountTokenInvalidated.text());
  }
  if (lookup.kind === 'missing') return rejectionOf(accountTokenInvalidated);
  const object = cachedLiveObject(lookup.object);
  if (object.uid !== uid) return rejectionOf(boundObjectReplaced, kind, object.uid, uid);
  return isGone(object, goneBefore) ? rejectionOf(accountTokenInvalidated) : undefined;
};

/**
 * Returns the parsed object. Views return the same object until it changes, so it is parsed once.
 */
const cachedLiveObject = (object: JsonObject): LiveObject => {
  const cached = liveObjects.get(object);
  if (cached !== undefined) return cached;
  const live = liveObject(object);
  liveObjects.set(object, live);
  return live;
};

const liveObjects = new WeakMap<JsonObject, LiveObject>();

const isGone = ({ deletedAtMs }: LiveObject, goneBefore: number): boolean =>
  deletedAtMs !== undefined && deletedAtMs < goneBefore;

/** Records the result of one check in the trace. */
export const traceStep = (trace: TraceSink, what: string, problem: string | undefined): void =>
  trace.step(
    problem === undefined
      ? { at: 'service-account-token', what, outcome: 'passed' }
      : { at: 'service-account-token', what, outcome: 'failed', detail: problem },
  );
