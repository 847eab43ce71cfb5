/** Checks that the objects a token is bound to exist and have the UIDs in its claims. */
import { goQuote } from '../../formats/go-quote.ts';
import { accountTokenGates } from '../../model/feature-gates.ts';
import type { JsonObject } from '../../model/json.ts';
import type { TraceSink } from '../../model/trace.ts';
import type { Lookup, ObjectView } from '../../ports/object-view.ts';
import { type LiveObject, liveObject } from '../../resources/live-object.ts';
import type { BoundClaims, ObjectClaim } from '../../signed-token/account-claims.ts';
import type { AccountTokenRules } from './token-rules.ts';

/** Why a token is no longer valid. */
export interface BoundObjectProblem {
  readonly message: string;
  readonly code?: string;
}

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
): BoundObjectProblem | undefined | Promise<BoundObjectProblem | undefined> =>
  problemFrom(0, { bindings: bindingsOf(claims), context });

interface ObjectChecks {
  readonly bindings: readonly Binding[];
  readonly context: ObjectContext;
}

const problemFrom = (
  first: number,
  checks: ObjectChecks,
): BoundObjectProblem | undefined | Promise<BoundObjectProblem | undefined> => {
  const { bindings, context } = checks;
  for (let place = first; place < bindings.length; place += 1) {
    const binding = bindings[place];
    if (binding === undefined) break;
    const { resource, namespace, claim } = binding;
    if (binding.kind === 'node' && !context.rules.nodeValidation) {
      return traceProblem(binding, { message: nodesDisabledMessage }, context.trace);
    }
    const lookup = context.objects.find({ resource, namespace, name: claim.name });
    if (lookup instanceof Promise) {
      return lookup.then(
        (later) => bindingProblem(later, binding, checks) ?? problemFrom(place + 1, checks),
      );
    }
    const problem = bindingProblem(lookup, binding, checks);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

const bindingProblem = (
  lookup: Lookup,
  binding: Binding,
  { context: { goneBefore, trace } }: ObjectChecks,
): BoundObjectProblem | undefined => {
  const problem =
    binding.kind === 'account'
      ? accountProblem(lookup, binding, goneBefore)
      : boundObjectProblem(lookup, binding, goneBefore);
  return traceProblem(binding, problem, trace);
};

const nodesDisabledMessage = `token is bound to a Node object but the ${accountTokenGates.nodeValidation} feature gate is disabled`;

const traceProblem = (
  { kind }: Binding,
  problem: BoundObjectProblem | undefined,
  trace: TraceSink | undefined,
): BoundObjectProblem | undefined => {
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

const unavailableCode = 'AG5024';

const accountProblem = (
  lookup: Lookup,
  { namespace, claim }: Binding,
  goneBefore: number,
): BoundObjectProblem | undefined => {
  if (lookup.kind === 'unavailable') return { message: lookup.reason, code: unavailableCode };
  if (lookup.kind === 'missing') {
    return { message: `serviceaccounts ${goQuote(claim.name)} not found` };
  }
  const account = cachedLiveObject(lookup.object);
  if (account.uid !== claim.uid) {
    return { message: `service account UID (${account.uid}) does not match claim (${claim.uid})` };
  }
  return isGone(account, goneBefore)
    ? { message: `service account ${namespace}/${claim.name} has been deleted` }
    : undefined;
};

const boundObjectProblem = (
  lookup: Lookup,
  { kind, claim: { uid } }: Binding,
  goneBefore: number,
): BoundObjectProblem | undefined => {
  if (lookup.kind === 'unavailable') return { message: invalidated, code: unavailableCode };
  if (lookup.kind === 'missing') return { message: invalidated };
  const object = cachedLiveObject(lookup.object);
  if (object.uid !== uid) {
    return {
      message: `${kind} UID (${object.uid}) does not match service account ${kind} ref claim (${uid})`,
    };
  }
  return isGone(object, goneBefore) ? { message: invalidated } : undefined;
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

const invalidated = 'service account token has been invalidated';

const isGone = ({ deletedAtMs }: LiveObject, goneBefore: number): boolean =>
  deletedAtMs !== undefined && deletedAtMs < goneBefore;

/** Records the result of one check in the trace. */
export const traceStep = (trace: TraceSink, what: string, problem: string | undefined): void =>
  trace.step(
    problem === undefined
      ? { at: 'service-account-token', what, outcome: 'passed' }
      : { at: 'service-account-token', what, outcome: 'failed', detail: problem },
  );
