/** Proofs about random pairs of configurations are tried to be refuted by evaluating random claims. */
import { expect, test } from 'vitest';
import { linkMapping } from '../../engine/src/authenticators/jwt/link-mapping.ts';
import { mapClaims } from '../../engine/src/authenticators/jwt/map-claims.ts';
import { planSerialized } from '../../engine/src/cel/evaluate/plan-serialized.ts';
import type { JsonObject } from '../../engine/src/formats/json-with-shape.ts';
import type { Decision } from '../../engine/src/model/decision.ts';
import { accessChangeKinds } from '../../engine/src/simulate/access/access-result.ts';
import type { AccessSide } from '../../engine/src/simulate/access/access-side.ts';
import { compareAccess } from '../../engine/src/simulate/access/compare-access.ts';
import { accessChange } from '../../engine/src/simulate/difference/diff.ts';
import { decisionOf } from '../../engine/src/simulate/whoami/claims-decision.ts';
import { sideOf } from '../engine/simulate/access/compare-texts.ts';
import { RandomConfigurations } from '../engine/simulate/access/random-configurations.ts';

/** A longer run has more pairs with more complex rules: `ACCESS_PAIRS=5000 ACCESS_SEED=7`. */
const pairs = Number(process.env.ACCESS_PAIRS ?? 100);
const depth = pairs > 200 ? 2 : 1;
const seed = Number(process.env.ACCESS_SEED ?? 1);
const claimSets = Number(process.env.ACCESS_CLAIMS ?? 60);

/** Links the only authenticator, and decides claims with it as whoami does. */
const deciderOf = ({ graph }: AccessSide): ((claims: JsonObject) => Decision) => {
  const [node] = graph.nodes;
  if (node === undefined) throw new Error('there is no authenticator');
  const mapping = linkMapping(node, planSerialized);
  const options = { mode: 'product', credentialIdKey: undefined } as const;
  return (claims) => decisionOf(mapClaims(mapping, { claims, unreadable: new Map() }, options));
};

const compiled = (text: string): AccessSide | undefined => {
  try {
    return sideOf(text);
  } catch {
    return undefined;
  }
};

test('no proof is refuted', { timeout: 3_600_000 }, () => {
  const random = new RandomConfigurations(seed, depth, { readsExtra: true });
  const counts = { pairs: 0, found: 0, proved: 0, undecided: 0 };
  const refuted: unknown[] = [];
  const constructs = new Map<string, number>();
  let mostEvaluations = 0;
  while (counts.pairs < pairs) {
    const pair = random.pair();
    const before = compiled(pair.before);
    const after = compiled(pair.after);
    if (before === undefined || after === undefined) continue;
    counts.pairs++;
    const { verdicts, evaluations } = compareAccess(before, after);
    mostEvaluations = Math.max(mostEvaluations, evaluations);
    for (const kind of accessChangeKinds) {
      const verdict = verdicts[kind];
      counts[verdict.kind]++;
      if (verdict.kind !== 'undecided') continue;
      for (const { construct } of verdict.reasons) {
        constructs.set(construct, (constructs.get(construct) ?? 0) + 1);
      }
    }
    const decideBefore = deciderOf(before);
    const decideAfter = deciderOf(after);
    for (let index = 0; index < claimSets; index++) {
      const claims = random.claims() as JsonObject;
      const { kind } = accessChange('claims', decideBefore(claims), decideAfter(claims));
      if (kind !== 'same' && verdicts[kind].kind === 'proved') {
        refuted.push({ kind, claims, ...pair });
        break;
      }
    }
  }
  if (pairs > 200) console.log(counts, mostEvaluations, constructs);
  expect(refuted.slice(0, 3)).toEqual([]);
  expect(counts.undecided / (3 * counts.pairs)).toBeLessThan(0.08);
});
