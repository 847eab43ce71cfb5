/**
 * Authenticator for bootstrap tokens (`ID.SECRET`), which are stored in a Secret named
 * `bootstrap-token-ID`. A token that does not match its Secret gets no opinion; only an unavailable
 * store is an error.
 */
import { sameSecret } from '../../formats/constant-time.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { JsonObject } from '../../model/json.ts';
import { andThen, type MaybePromise } from '../../model/maybe-promise.ts';
import { rejectionOf } from '../../model/rejection.ts';
import { reveal } from '../../model/secret.ts';
import type { TraceSink } from '../../model/trace.ts';
import type { Lookup } from '../../ports/object-view.ts';
import type { Ports } from '../../ports/ports.ts';
import {
  bootstrapNamePrefix,
  bootstrapTokenExpiration,
  readBootstrapSecret,
} from '../../resources/bootstrap-secret.ts';
import type { Authenticator } from '../module.ts';
import { objectsUnavailable } from '../rejections.ts';
import type { BootstrapTokenMaterial } from './compile.ts';
import type { BootstrapTokenNode } from './node.ts';

/**
 * Creates the authenticator. Secrets are looked up only for tokens that have the format of a
 * bootstrap token.
 */
export const linkBootstrapToken = (
  node: BootstrapTokenNode,
  ports: Pick<Ports, 'clock' | 'log'>,
  { objects }: BootstrapTokenMaterial,
): Authenticator => ({
  authenticate({ token }, _waiter, trace): MaybePromise<Decision> {
    const parts = token === undefined ? null : tokenPattern.exec(reveal(token));
    if (parts === null) return noOpinion;
    const [, id = '', password = ''] = parts;
    const name = bootstrapNamePrefix + id;
    const lookup = objects.find({ resource: 'secrets', namespace: node.namespace, name });
    return andThen(lookup, (settled) =>
      decideOnLookup(settled, { id, password, name }, node, ports, trace),
    );
  },
});

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

interface PresentedToken {
  readonly id: string;
  readonly password: string;
  /** Name of the Secret. */
  readonly name: string;
}

const decideOnLookup = (
  lookup: Lookup,
  presented: PresentedToken,
  node: BootstrapTokenNode,
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  trace: TraceSink | undefined,
): Decision => {
  const traceStep = (outcome: 'passed' | 'failed' | 'skipped', detail: string): void =>
    trace?.step({ at: node.module, what: 'bootstrap token', outcome, detail });
  if (lookup.kind === 'unavailable') {
    traceStep('failed', lookup.reason);
    const reason = rejectionOf(objectsUnavailable, lookup.reason);
    return { kind: 'rejected', by: node.module, reason };
  }
  if (lookup.kind === 'missing') {
    traceStep('skipped', `there is no secret ${presented.name}`);
    return noOpinion;
  }
  const verdict = validateSecret(lookup.object, presented, node, clock.now());
  if (verdict.kind === 'invalid') {
    traceStep('skipped', `the secret ${verdict.why}`);
    const object = `${node.namespace}/${presented.name}`;
    log.event('debug', 'bootstrap token ignored', { object, reason: verdict.why });
    return noOpinion;
  }
  traceStep('passed', `the secret ${presented.name} holds the token`);
  return {
    kind: 'accepted',
    by: node.module,
    audiences: [],
    user: {
      username: `system:bootstrap:${presented.id}`,
      uid: '',
      groups: verdict.groups,
      extra: new Map(),
    },
    ...(verdict.endsAtMs === undefined ? {} : { expiresAtMs: verdict.endsAtMs }),
  };
};

type Verdict =
  | {
      readonly kind: 'valid';
      readonly groups: readonly string[];
      readonly endsAtMs: number | undefined;
    }
  /** The reason, worded to follow "the secret". */
  | { readonly kind: 'invalid'; readonly why: string };

/**
 * Checks the Secret in kube-apiserver's order. The token secret is compared first, so that nothing
 * is revealed to a caller who does not have it.
 */
const validateSecret = (
  object: JsonObject,
  { id, password }: PresentedToken,
  { secretTypes }: BootstrapTokenNode,
  nowMs: number,
): Verdict => {
  const secret = readBootstrapSecret(object, secretTypes);
  if (secret === undefined) return invalid(`is not of the type ${secretTypes.join(' or ')}`);
  if (secret.isBeingDeleted) return invalid('is being deleted');
  if (!sameSecret(secret.value('token-secret'), password))
    return invalid('has another token-secret');
  if (secret.value('token-id') !== id) return invalid('has another token-id');
  const end = bootstrapTokenExpiration(secret);
  if (end.kind === 'unreadable') return invalid('has an invalid expiration');
  if (end.kind === 'at' && end.ms <= nowMs) return invalid('has expired');
  if (secret.value('usage-bootstrap-authentication') !== 'true') {
    return invalid('does not have usage-bootstrap-authentication: true');
  }
  const extra = secret.value('auth-extra-groups');
  const extraGroups = extra === '' ? [] : extra.split(',');
  if (!extraGroups.every((group) => groupPattern.test(group))) {
    return invalid(
      'has a group in auth-extra-groups that does not start with system:bootstrappers:',
    );
  }
  const groups = [...new Set([defaultGroup, ...extraGroups])].sort();
  return { kind: 'valid', groups, endsAtMs: end.kind === 'at' ? end.ms : undefined };
};

const invalid = (why: string): Verdict => ({ kind: 'invalid', why });

const defaultGroup = 'system:bootstrappers';
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
