/** Every example of a change of access is confirmed by kube-apiserver's code, with tokens that have the claims. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createSigningKey,
  keySetOf,
  mintToken,
  type SigningKey,
} from '../../engine/src/node/mint.ts';
import {
  accessChangeKinds,
  type FoundAccessChange,
} from '../../engine/src/simulate/access/access-result.ts';
import { issuedAt, lifetime } from '../../engine/src/simulate/access/claim-classes.ts';
import { compareTexts } from '../engine/simulate/access/compare-texts.ts';
import { RandomConfigurations } from '../engine/simulate/access/random-configurations.ts';
import { type Peer, reference, startPeer } from '../fuzz/peer.ts';

const seed = Number(process.env.ACCESS_SEED ?? 20_261_127);
const generated = Number(process.env.ACCESS_PAIRS ?? 200);

interface Pair {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const folder = join(import.meta.dirname, '../engine/simulate/access/pairs');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

const storedPairs: readonly Pair[] = readdirSync(folder)
  .filter((file) => file.endsWith('.expect'))
  .map((file) => file.replace('.expect', ''))
  .map((name) => ({ name, before: read(`${name}.old.yaml`), after: read(`${name}.new.yaml`) }));

let oracle: Peer;
let key: SigningKey;

// The first run builds kube-apiserver's code.
beforeAll(async () => {
  oracle = startPeer(reference, []);
  key = await createSigningKey('RS256', 'key');
  await oracle.ask([{ op: 'validate', config: '' }]);
}, 1_200_000);

afterAll(() => oracle.close());

interface Reply {
  readonly authenticated?: boolean;
  readonly configError?: string;
  readonly fault?: string;
  readonly user?: {
    readonly username: string;
    readonly uid: string;
    readonly groups: readonly string[] | null;
    readonly extra: Readonly<Record<string, readonly string[]>> | null;
  };
}

/** Returns what kube-apiserver's code decides about a token with the claims of a change. */
const decide = async (config: string, { witness }: FoundAccessChange): Promise<unknown> => {
  if (!('claims' in witness)) throw new Error('the pairs have no anonymous requests');
  const claims = { exp: issuedAt + lifetime, ...witness.claims };
  const [answer] = await oracle.ask([
    {
      op: 'authenticate',
      // The pairs use the domain of another distribution of the API.
      config: config.replace('apiserver.config.platform.io', 'apiserver.config.k8s.io'),
      now: new Date(issuedAt * 1000).toISOString().replace('.000', ''),
      jwks: keySetOf([key]),
      token: await mintToken(claims, key),
    },
  ]);
  const { authenticated, user, configError, fault }: Reply = answer ?? {};
  if (configError !== undefined || fault !== undefined) return { configError, fault };
  if (!authenticated || user === undefined) return null;
  const { username, uid, groups, extra } = user;
  return { username, uid, groups: [...(groups ?? [])].toSorted(), extra: extra ?? {} };
};

/** Returns the claimed user as the authenticator returns it: the server adds the group later. */
const claimed = (user: FoundAccessChange['before']): unknown =>
  user && {
    username: user.username,
    uid: user.uid,
    groups: user.groups.filter((group) => group !== 'system:authenticated').toSorted(),
    extra: Object.fromEntries(user.extra),
  };

const changesOf = ({ before, after }: Pair): readonly FoundAccessChange[] => {
  // Without the deliberate differences from kube-apiserver, such as empty usernames.
  const { verdicts } = compareTexts(before, after, 'exact');
  return accessChangeKinds.flatMap((kind) => {
    const verdict = verdicts[kind];
    return verdict.kind === 'found' ? verdict.changes : [];
  });
};

/** Returns the examples that kube-apiserver's code decides in another way, and their number. */
const confirm = async (pairs: readonly Pair[]) => {
  const wrong: unknown[] = [];
  let confirmed = 0;
  for (const pair of pairs) {
    for (const change of changesOf(pair)) {
      const decided = {
        before: await decide(pair.before, change),
        after: await decide(pair.after, change),
      };
      const wanted = { before: claimed(change.before), after: claimed(change.after) };
      if (JSON.stringify(decided) === JSON.stringify(wanted)) confirmed++;
      else wrong.push({ pair: pair.name, witness: change.witness, decided, wanted });
    }
  }
  return { wrong, confirmed };
};

test('the examples of the stored pairs', { timeout: 600_000 }, async () => {
  expect(storedPairs).toHaveLength(24);
  const { wrong, confirmed } = await confirm(storedPairs);
  expect(wrong).toEqual([]);
  expect(confirmed).toBeGreaterThanOrEqual(20);
});

test(`the examples of ${generated} generated pairs`, { timeout: 1_800_000 }, async () => {
  const random = new RandomConfigurations(seed, 1);
  const pairs: Pair[] = [];
  while (pairs.length < generated) {
    const pair = random.pair();
    try {
      changesOf({ name: '', ...pair });
    } catch {
      continue;
    }
    pairs.push({ name: `${seed}/${pairs.length}`, ...pair });
  }
  const { wrong, confirmed } = await confirm(pairs);
  expect(wrong).toEqual([]);
  expect(confirmed).toBeGreaterThan(generated / 2);
});
