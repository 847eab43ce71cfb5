/**
 * Replays of random claims are compared with the decisions about the claims themselves: a replay may
 * be undecided, but never wrong.
 */
import { expect, test } from 'vitest';
import { claimRecord, literalsOf } from '../../../../engine/src/authenticators/jwt/claim-record.ts';
import { hashGraph } from '../../../../engine/src/compile/artifact.ts';
import { isJsonObject, type JsonValue } from '../../../../engine/src/formats/json-with-shape.ts';
import type { Decision } from '../../../../engine/src/model/decision.ts';
import { nodeDigest } from '../../../../engine/src/node/digest.ts';
import { pseudonymizer } from '../../../../engine/src/node/pseudonyms.ts';
import { readPayload } from '../../../../engine/src/signed-token/payload.ts';
import type { AccessSide } from '../../../../engine/src/simulate/access/access-side.ts';
import { linkComparer } from '../../../../engine/src/simulate/difference/compare-claim-sets.ts';
import type { RecordedDecision } from '../../../../engine/src/simulate/replay/read-record.ts';
import { linkReplay, type ReplaySides } from '../../../../engine/src/simulate/replay/replay.ts';
import { sideOf } from '../access/compare-texts.ts';
import { RandomConfigurations } from '../access/random-configurations.ts';

/** A longer run: `REPLAY_PAIRS=5000 REPLAY_SEED=7`. */
const pairs = Number(process.env.REPLAY_PAIRS ?? 10);
const seed = Number(process.env.REPLAY_SEED ?? 1);
const claimSets = 40;

const digest = nodeDigest();
const pseudonym = pseudonymizer('the key of pseudonyms in this test');
const time = 1_700_000_000_000;

interface Level {
  readonly name: string;
  readonly values: ReadonlySet<string>;
  readonly pseudonym: typeof pseudonym | undefined;
  readonly knowsKey: boolean;
  readonly knowsOld: boolean;
  readonly logsGroups: boolean;
}

const defaults = new Set(['iss', 'aud']);
const level = (name: string, changes: Partial<Level>): Level => ({
  name,
  values: defaults,
  pseudonym: undefined,
  knowsKey: false,
  knowsOld: true,
  logsGroups: false,
  ...changes,
});
const levels: readonly Level[] = [
  level('shape', {}),
  level('shape, without the old configuration', { knowsOld: false }),
  level('masked', { pseudonym, logsGroups: true }),
  level('masked, with the key', { pseudonym, knowsKey: true }),
  level('with values', { values: new Set(['iss', 'aud', 'sub', 'g', 'p', 'q', 'o']) }),
];

const compiled = (text: string): AccessSide | undefined => {
  try {
    return sideOf(text);
  } catch {
    return undefined;
  }
};

const outcomeOf = (decision: Decision, logsGroups: boolean): RecordedDecision['outcome'] => {
  if (decision.kind === 'accepted') {
    const { username, uid, groups, extra } = decision.user;
    const logged = logsGroups ? { groups, extra } : { groups: undefined, extra: undefined };
    return { kind: 'accepted', username, uid, ...logged };
  }
  if (decision.kind === 'noOpinion') throw new Error('unreachable: the issuer is configured');
  return { kind: 'rejected', code: decision.reason.code, at: decision.reason.at ?? '' };
};

test('no replay is wrong', { timeout: 3_600_000 }, () => {
  const random = new RandomConfigurations(seed, 1);
  const wrong: unknown[] = [];
  const decided = new Map<string, number>();
  const all = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string) =>
    counts.set(name, (counts.get(name) ?? 0) + 1);
  for (let tried = 0; tried < pairs; ) {
    const pair = random.pair();
    const before = compiled(pair.before);
    const after = compiled(pair.after);
    if (before === undefined || after === undefined) continue;
    tried++;
    const compare = linkComparer(before.graph, after.graph);
    const sides = [before, after].map(({ graph }) => ({ graph, hash: hashGraph(graph, digest) }));
    const [old, changed] = sides;
    if (old === undefined || changed === undefined) throw new Error('there are two sides');
    const literals = literalsOf(before.graph.nodes);
    const linked = levels.map((one) => {
      const replaySides: ReplaySides = {
        after: changed,
        before: one.knowsOld ? old : undefined,
        pseudonym: one.knowsKey ? pseudonym : undefined,
      };
      return { ...one, replay: linkReplay(replaySides) };
    });
    for (let index = 0; index < claimSets; index++) {
      const claims = { ...random.claims(), exp: time / 1000 + 60, jti: 'x' };
      const payload = readPayload(new TextEncoder().encode(JSON.stringify(claims)));
      if (payload === undefined) throw new Error('the claims are an object');
      const truth = compare(payload);
      for (const { name, replay, values, pseudonym: named, logsGroups } of linked) {
        const record = claimRecord(payload, {
          decision: truth.before,
          literals,
          options: { values, pseudonym: named },
        });
        if ('claimsOmitted' in record) throw new Error('the claims are small');
        const outcome = replay({
          time,
          graph: old.hash,
          outcome: outcomeOf(truth.before, logsGroups),
          claims: record.claims,
          claimsKey: record.claimsKey,
          omitted: undefined,
        });
        count(all, name);
        if (outcome.kind === 'undecided') continue;
        count(decided, name);
        if (outcome.kind !== truth.kind) {
          wrong.push({ name, claims, record, outcome, truth: truth.kind, ...pair });
        }
      }
    }
  }
  const shares = new Map(
    [...all].map(([name, total]) => [name, (decided.get(name) ?? 0) / total] as const),
  );
  if (pairs > 200) console.log(shares);
  expect(wrong.slice(0, 2)).toEqual([]);
  for (const { name } of levels) expect(shares.get(name), name).toBeGreaterThan(0.15);
  expect(shares.get('with values')).toBeGreaterThan(0.9);
});

const token = `${'a'.repeat(20)}.${'b'.repeat(20)}.${'c'.repeat(20)}`;

test.each([[{ [token]: 1 }], [{ nested: [{ [`x ${token}`]: 1 }] }], [{ 'a\uE000b': 1 }]])(
  'INV-S4 no name in a record looks like a token: %j',
  (claims) => {
    const payload = readPayload(
      new TextEncoder().encode(
        JSON.stringify({ iss: 'https://idp.example.com', exp: 1, ...claims }),
      ),
    );
    if (payload === undefined) throw new Error('the claims are an object');
    const decision: Decision = { kind: 'rejected', by: 'jwt', reason: { code: '', message: '' } };
    const options = { values: new Set(['nested']), pseudonym };
    const record = claimRecord(payload, { decision, literals: new Set(), options });
    expect(record).toEqual({ claimsOmitted: 'form' });
  },
);

test('INV-S4 a value that is not allowed is nowhere in a record', () => {
  const random = new RandomConfigurations(seed, 1);
  const side = sideOf(random.pair().before);
  const literals = literalsOf(side.graph.nodes);
  const canary = 'canary-value';
  const nested = { a: [canary, { [`name-${1}`]: canary }], [canary]: 1 };
  const claims = {
    iss: 'https://idp.example.com',
    aud: 'kube',
    exp: 1,
    email: canary,
    phone: 4_915_112_345,
    nested,
    nonce: canary,
    at_hash: canary,
    _claim_sources: { x: { access_token: canary } },
  };
  const payload = readPayload(new TextEncoder().encode(JSON.stringify(claims)));
  if (payload === undefined) throw new Error('the claims are an object');
  const decision: Decision = { kind: 'rejected', by: 'jwt', reason: { code: '', message: '' } };
  for (const named of [undefined, pseudonym]) {
    const options = { values: defaults, pseudonym: named };
    const record = claimRecord(payload, { decision, literals, options });
    const valuesIn = (value: JsonValue | undefined): readonly unknown[] =>
      isJsonObject(value) || Array.isArray(value)
        ? Object.values(value).flatMap(valuesIn)
        : [value];
    const values = 'claims' in record ? valuesIn(record.claims) : [];
    expect(values).not.toContain(canary);
    expect(JSON.stringify(values)).not.toMatch(/4915|canary/);
    expect(values).toContain('kube');
  }
});
