/**
 * Tokens held in memory are decided like tokens, and claims of files that a token could not have
 * are accepted with a note. Every view shows the same verdict.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CodeLens, InlayHint } from 'vscode-languageserver';
import {
  type ChangeReport,
  changeRequest,
  type GraphAnswer,
  graphRequest,
  samplesChanged,
  type VerdictsReport,
  verdictsRequest,
  type WhoamiReport,
  type WhoamiRow,
  whoamiRequest,
} from '../../language-server/src/protocol.ts';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://a.example
    audiences: [app]
  claimMappings: { username: { claim: sub, prefix: "a:" } }
`;
const later = 4_102_444_800;
const cases = [
  ['expired', { exp: 1_700_000_000 }, 'expired on 2023-11-14 22:13 UTC, 2 years ago', 'AG5010', 5],
  ['elsewhere', { aud: 'other' }, 'audience is "other", not "app"', 'AG5009', 6],
  ['early', { nbf: later - 60 }, 'not valid before 2099-12-31 23:59 UTC', 'AG5011', 5],
] as const;
const claimsOf = (name: string, claims: object): string =>
  JSON.stringify({ iss: 'https://a.example', aud: 'app', exp: later, sub: name, ...claims });

let client: LanguageClient;
const ids = new Map<string, string>();
const ask = <Answer>(method: string, params: object): Promise<Answer> =>
  client.connection.sendRequest<Answer>(method, { uri, ...params });
const rowOf = async (id: string | undefined): Promise<WhoamiRow | undefined> =>
  (await ask<WhoamiReport>(whoamiRequest, { samples: [id], as: { username: 'bob' } })).rows[0];
const lensesFor = async (id: string | undefined): Promise<readonly string[]> => {
  await ask('authgraph/chooseSample', { id });
  const lenses = await ask<readonly CodeLens[]>('textDocument/codeLens', { textDocument: { uri } });
  return lenses.map(({ command }) => command?.title ?? '');
};
const hintsFor = async (id: string | undefined): Promise<readonly string[]> => {
  await ask('authgraph/chooseSample', { id });
  const range = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const hints = await ask<readonly InlayHint[]>('textDocument/inlayHint', {
    textDocument: { uri },
    range,
  });
  return hints.map(({ position, tooltip }) =>
    typeof tooltip === 'object' ? `${position.line + 1} ${tooltip.value}` : '',
  );
};

beforeAll(async () => {
  const files = cases.map(([name, claims]): [string, string] => [
    `${workspaceUri}/${name}.claims.json`,
    claimsOf(name, claims),
  ]);
  client = await languageClient({ files: new Map(files) });
  await client.open(uri, configuration);
  for (const [name, claims] of [...cases, ['valid', {}] as const]) {
    const token = { name, claims: claimsOf(name, claims), signature: 'signature not checked' };
    ids.set(name, await client.connection.sendRequest('authgraph/memorySample', token));
  }
});
afterAll(async () => {
  expect(client.log).toEqual([]);
  await client.close();
});

describe.each(cases)('a token that is %s', (name, _, reason, code, line) => {
  const headline = `${name} rejected: ${reason}`;
  test('is rejected by whoami, which shows the user of the claims alone', async () => {
    const row = await rowOf(ids.get(name));
    expect(row).toMatchObject({
      verdict: 'rejected',
      headline,
      reason,
      code,
      refusal: `kube-apiserver would reject this token: ${reason}.`,
      user: { username: `a:${name}` },
      place: { range: { start: { line: line - 1 } } },
      whyNot: [],
    });
    expect(row).not.toHaveProperty('acting');
    expect(row?.steps.filter(({ outcome }) => outcome === 'failed')).toEqual([
      expect.objectContaining({ detail: reason }),
    ]);
    expect(row?.yaml).toContain('# The claims alone map to:\n');
  });
  test('is rejected in lists, lenses, hints, the graph and access changes', async () => {
    const id = ids.get(name);
    const { rows } = await ask<VerdictsReport>(verdictsRequest, { samples: [id] });
    expect(rows).toMatchObject([{ verdict: 'rejected', headline }]);
    expect(await lensesFor(id)).toContain(`✗ ${headline}`);
    expect(await hintsFor(id)).toContain(`${line} ${name}: ✗ ${reason}`);
    const { pictures } = await ask<GraphAnswer>(graphRequest, { sample: id });
    expect(pictures[0]?.text).toMatch(new RegExp(`^${escaped(headline)}\n`));
    expect(pictures[0]?.text).toMatch(new RegExp(`✗ jwt\\[0\\]\\.issuer.* ← ${escaped(reason)}\n`));
    expect(pictures[0]?.svg).toMatch(/class="node failed" data-node="jwt\[0\]\.user"/);
    const change = await ask<ChangeReport>(changeRequest, { against: `${configuration}\n` });
    expect(change.rows.find(({ sample }) => sample.id === id)).toMatchObject({
      ...{ kind: 'same', before: headline, after: headline },
    });
  });
});

describe.each(cases)(
  'a file with the claims of a token that is %s',
  (name, _, reason, __, line) => {
    const id = `${workspaceUri}/${name}.claims.json`;
    const headline = `${name} → a:${name} · 1 group · ${reason}`;
    test('is accepted with a note everywhere', async () => {
      const row = await rowOf(id);
      expect(row).toMatchObject({
        verdict: 'acceptedWithNote',
        headline,
        caution: `kube-apiserver would reject a token with these claims: ${reason}.`,
        user: { username: `a:${name}` },
        place: { range: { start: { line: line - 1 } } },
        acting: { allowed: false },
      });
      expect(row).not.toHaveProperty('refusal');
      const { rows } = await ask<VerdictsReport>(verdictsRequest, { samples: [id] });
      expect(rows).toMatchObject([{ verdict: 'acceptedWithNote', headline }]);
      expect(await lensesFor(id)).toContain(`⚠ ${headline}`);
      expect(await hintsFor(id)).toContain(`${line} ${name}: ⚠ ${reason}`);
      const { pictures } = await ask<GraphAnswer>(graphRequest, { sample: id });
      expect(pictures[0]?.text).toMatch(new RegExp(`^${escaped(headline)}\n`));
      expect(pictures[0]?.text).toContain(`← (!) ${reason}\n`);
    });
  },
);

test('a valid token is accepted without a note', async () => {
  expect(await rowOf(ids.get('valid'))).toMatchObject({
    verdict: 'accepted',
    headline: 'valid → a:valid · 1 group',
  });
});

test('the lens counts samples with a note separately, and rejected tokens not at all', async () => {
  expect(await lensesFor(ids.get('valid'))).toContain(
    '1 of 7 samples accepted, 1 expired, 1 for another audience, 1 not yet valid',
  );
});

test.each([
  ['a missing expiry', { exp: undefined }, 'no expiry; exp is required'],
  ['a missing audience', { aud: undefined }, 'no audience; "app" is required'],
  ['an expiry beyond any calendar', { exp: -1e300 }, 'exp is -1e+300'],
  ['an expiry that is a string', { exp: 'soon' }, /^oidc: failed to unmarshal claims: |^verify/],
  ['several audiences', { aud: ['b', 'c\u0007'] }, 'audience is ["b","c\\u0007"], not "app"'],
])('a token with %s is rejected in readable words', async (_, claims, reason) => {
  const sample = {
    name: 'malformed',
    claims: claimsOf('malformed', claims),
    signature: 'signature not checked',
  };
  const id = await client.connection.sendRequest<string>('authgraph/memorySample', sample);
  const row = await rowOf(id);
  await client.connection.sendRequest('authgraph/removeSample', { id });
  expect(row?.verdict).toBe('rejected');
  if (typeof reason === 'string') expect(row?.reason).toBe(reason);
  else expect(row?.reason).toMatch(reason);
});

test('views are refreshed when a token expires', async () => {
  const own = await languageClient({
    get now() {
      return Date.now();
    },
  });
  try {
    await own.open(uri, configuration);
    const exp = Math.ceil(Date.now() / 1000) + 1;
    const sample = { name: 'brief', claims: claimsOf('brief', { exp }), signature: 'unknown' };
    await own.connection.sendRequest('authgraph/memorySample', sample);
    const verdict = async (): Promise<string | undefined> => {
      const report = await own.connection.sendRequest<VerdictsReport>(verdictsRequest, {
        ...{ uri, samples: 'all' },
      });
      return report.rows[0]?.verdict;
    };
    expect(await verdict()).toBe('accepted');
    await new Promise<void>((resolve) => {
      own.connection.onNotification(samplesChanged, resolve);
    });
    expect(await verdict()).toBe('rejected');
  } finally {
    await own.close();
  }
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
