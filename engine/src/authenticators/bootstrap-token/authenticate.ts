/**
 * Tokens that let a machine join: `ID.SECRET`, held by a secret whose name ends with the ID. Whatever
 * does not fit makes the token nobody's; only a store that cannot tell is an error.
 */
import { sameSecret } from '../../formats/constant-time.ts';
import { type Decision, noOpinion } from '../../model/decision.ts';
import type { JsonObject } from '../../model/json.ts';
import { reveal } from '../../model/secret.ts';
import type { TraceSink } from '../../model/trace.ts';
import type { Lookup } from '../../ports/object-view.ts';
import type { Ports } from '../../ports/ports.ts';
import {
  bootstrapNamePrefix,
  endOfBootstrapSecret,
  readBootstrapSecret,
} from '../../resources/bootstrap-secret.ts';
import type { Authenticator } from '../module.ts';
import type { BootstrapTokenMaterial } from './compile.ts';
import type { BootstrapTokenNode } from './node.ts';

/** Secrets are looked up for what looks like such a token, and for nothing else. */
export const authenticateBootstrapToken = (
  node: BootstrapTokenNode,
  ports: Pick<Ports, 'clock' | 'log'>,
  { objects }: BootstrapTokenMaterial,
): Authenticator => ({
  decide({ token }, _waiter, trace): Decision | Promise<Decision> {
    const parts = token === undefined ? null : form.exec(reveal(token));
    if (parts === null) return noOpinion;
    const [, id = '', password = ''] = parts;
    const name = bootstrapNamePrefix + id;
    const judge = (found: Lookup) => judgeLookup(found, { id, password, name }, node, ports, trace);
    const found = objects.find({ resource: 'secrets', namespace: node.namespace, name });
    return found instanceof Promise ? found.then(judge) : judge(found);
  },
  readiness: () => ({ ready: true }),
  close: () => Promise.resolve(),
});

const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

interface Presented {
  readonly id: string;
  readonly password: string;
  /** Of the secret. */
  readonly name: string;
}

const judgeLookup = (
  found: Lookup,
  presented: Presented,
  node: BootstrapTokenNode,
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  trace: TraceSink | undefined,
): Decision => {
  const told = (outcome: 'passed' | 'failed' | 'skipped', detail: string): void =>
    trace?.step({ at: node.module, what: 'bootstrap token', outcome, detail });
  if (found.kind === 'unavailable') {
    told('failed', found.reason);
    const reason = { code: 'AG5024', message: found.reason };
    return { kind: 'rejected', by: node.module, reason };
  }
  if (found.kind === 'missing') {
    told('skipped', `there is no secret ${presented.name}`);
    return noOpinion;
  }
  const verdict = judgeSecret(found.object, presented, node, clock.now());
  if (verdict.kind === 'unfit') {
    told('skipped', `the secret ${verdict.why}`);
    const object = `${node.namespace}/${presented.name}`;
    log.event('debug', 'bootstrap token not taken', { object, reason: verdict.why });
    return noOpinion;
  }
  told('passed', `the secret ${presented.name} holds the token`);
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
      readonly kind: 'fit';
      readonly groups: readonly string[];
      readonly endsAtMs: number | undefined;
    }
  /** Why, behind `the secret`. */
  | { readonly kind: 'unfit'; readonly why: string };

/** In the real server's order; the secret value is compared before anything is told about the rest. */
const judgeSecret = (
  object: JsonObject,
  { id, password }: Presented,
  { secretTypes }: BootstrapTokenNode,
  nowMs: number,
): Verdict => {
  const secret = readBootstrapSecret(object, secretTypes);
  if (secret === undefined) return unfit(`is not of the type ${secretTypes.join(' or ')}`);
  if (secret.leaving) return unfit('is being deleted');
  if (!sameSecret(secret.value('token-secret'), password)) return unfit('has another token-secret');
  if (secret.value('token-id') !== id) return unfit('has another token-id');
  const end = endOfBootstrapSecret(secret);
  if (end.kind === 'unreadable') return unfit('has an expiration that is no time');
  if (end.kind === 'at' && end.ms <= nowMs) return unfit('is expired');
  if (secret.value('usage-bootstrap-authentication') !== 'true') {
    return unfit('does not say usage-bootstrap-authentication: true');
  }
  const extra = secret.value('auth-extra-groups');
  const extraGroups = extra === '' ? [] : extra.split(',');
  if (!extraGroups.every((group) => groupForm.test(group))) {
    return unfit('has a group in auth-extra-groups that is not below system:bootstrappers:');
  }
  const groups = [...new Set([defaultGroup, ...extraGroups])].sort();
  return { kind: 'fit', groups, endsAtMs: end.kind === 'at' ? end.ms : undefined };
};

const unfit = (why: string): Verdict => ({ kind: 'unfit', why });

const defaultGroup = 'system:bootstrappers';
const groupForm = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
