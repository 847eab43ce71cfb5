/** Everything that a token is bound to must be there still, and be the same. */
import { goQuote } from '../../formats/go-quote.ts';
import { accountTokenGates } from '../../model/feature-gates.ts';
import type { JsonObject } from '../../model/json.ts';
import type { TraceSink } from '../../model/trace.ts';
import type { Lookup, ObjectView } from '../../ports/object-view.ts';
import { type LiveObject, liveObject } from '../../resources/live-object.ts';
import type { BoundClaims, ObjectClaim } from '../../signed-token/account-claims.ts';
import type { AccountTokenRules } from './token-rules.ts';

/** Why a token is no longer good. */
export interface Refusal {
  readonly message: string;
  readonly code?: string;
}

export interface ObjectContext {
  readonly objects: ObjectView;
  readonly rules: Pick<AccountTokenRules, 'nodeValidation'>;
  readonly trace: TraceSink | undefined;
  /** Milliseconds since 1970: what was deleted before is gone. */
  readonly goneBefore: number;
}

/** Asked in order; the first one that does not hold ends it. */
export const refuseObjects = (
  claims: BoundClaims,
  context: ObjectContext,
): Refusal | undefined | Promise<Refusal | undefined> =>
  refuseFrom(0, { bindings: bindingsOf(claims), context });

interface ObjectChecks {
  readonly bindings: readonly Binding[];
  readonly context: ObjectContext;
}

const refuseFrom = (
  first: number,
  checks: ObjectChecks,
): Refusal | undefined | Promise<Refusal | undefined> => {
  const { bindings, context } = checks;
  for (let place = first; place < bindings.length; place += 1) {
    const binding = bindings[place];
    if (binding === undefined) break;
    const { resource, namespace, claim } = binding;
    if (binding.kind === 'node' && !context.rules.nodeValidation) {
      return told(binding, { message: noNodes }, context.trace);
    }
    const found = context.objects.find({ resource, namespace, name: claim.name });
    if (found instanceof Promise) {
      return found.then((later) => refuse(later, binding, checks) ?? refuseFrom(place + 1, checks));
    }
    const refusal = refuse(found, binding, checks);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

const refuse = (
  found: Lookup,
  binding: Binding,
  { context: { goneBefore, trace } }: ObjectChecks,
): Refusal | undefined => {
  const refusal =
    binding.kind === 'account'
      ? refuseAccount(found, binding, goneBefore)
      : refuseBound(found, binding, goneBefore);
  return told(binding, refusal, trace);
};

const noNodes = `token is bound to a Node object but the ${accountTokenGates.nodeValidation} feature gate is disabled`;

const told = (
  { kind }: Binding,
  refusal: Refusal | undefined,
  trace: TraceSink | undefined,
): Refusal | undefined => {
  if (trace !== undefined) {
    tellStep(trace, kind === 'account' ? 'account' : `bound ${kind}`, refusal?.message);
  }
  return refusal;
};

/** What the token is bound to. */
interface Binding {
  readonly kind: 'account' | 'secret' | 'pod' | 'node';
  readonly resource: string;
  readonly namespace: string;
  readonly claim: ObjectClaim;
}

/** A node that is named beside a pod is taken as it is: the pod vouches for it. */
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

const refuseAccount = (
  found: Lookup,
  { namespace, claim }: Binding,
  goneBefore: number,
): Refusal | undefined => {
  if (found.kind === 'unavailable') return { message: found.reason, code: unavailableCode };
  if (found.kind === 'missing') {
    return { message: `serviceaccounts ${goQuote(claim.name)} not found` };
  }
  const account = seenObject(found.object);
  if (account.uid !== claim.uid) {
    return { message: `service account UID (${account.uid}) does not match claim (${claim.uid})` };
  }
  return isGone(account, goneBefore)
    ? { message: `service account ${namespace}/${claim.name} has been deleted` }
    : undefined;
};

const refuseBound = (
  found: Lookup,
  { kind, claim: { uid } }: Binding,
  goneBefore: number,
): Refusal | undefined => {
  if (found.kind === 'unavailable') return { message: invalidated, code: unavailableCode };
  if (found.kind === 'missing') return { message: invalidated };
  const object = seenObject(found.object);
  if (object.uid !== uid) {
    return {
      message: `${kind} UID (${object.uid}) does not match service account ${kind} ref claim (${uid})`,
    };
  }
  return isGone(object, goneBefore) ? { message: invalidated } : undefined;
};

/** A view gives the same object until it has changed: it is looked into once. */
const seenObject = (object: JsonObject): LiveObject => {
  const known = seenObjects.get(object);
  if (known !== undefined) return known;
  const seen = liveObject(object);
  seenObjects.set(object, seen);
  return seen;
};

const seenObjects = new WeakMap<JsonObject, LiveObject>();

const invalidated = 'service account token has been invalidated';

const isGone = ({ deletedAtMs }: LiveObject, goneBefore: number): boolean =>
  deletedAtMs !== undefined && deletedAtMs < goneBefore;

/** Tells a trace how one check ended. */
export const tellStep = (trace: TraceSink, what: string, refusal: string | undefined): void =>
  trace.step(
    refusal === undefined
      ? { at: 'service-account-token', what, outcome: 'passed' }
      : { at: 'service-account-token', what, outcome: 'failed', detail: refusal },
  );
