/** Whoami: verdict, user, steps, why-not, the command and the YAML. */

import { describe, expect, test } from 'vitest';
import {
  type WhoamiReport,
  type WhoamiRow,
  whoamiRequest,
} from '../../language-server/src/protocol.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('whoami', async ({ client, uri, fixture }) => {
  const { ask = {} } = fixture.settings as { readonly ask?: object };
  const report = await client.connection.sendRequest<WhoamiReport>(whoamiRequest, { uri, ...ask });
  const problem = report.problem === undefined ? [] : [`problem: ${report.problem}`];
  return [...problem, ...report.rows.flatMap(rowLines)].join('\n');
});

const rowLines = (row: WhoamiRow): readonly string[] => [
  ...(row.configuration.title === undefined
    ? []
    : [`${row.configuration.index}: ${row.configuration.title}`]),
  `${row.verdict}: ${row.headline}`,
  ...(row.code === undefined ? [] : [`  ${row.code} ${row.message}${at(row.place)}`]),
  ...(row.user === undefined ? [] : [`  user ${JSON.stringify(row.user)}`]),
  ...row.sources.map(({ part, place }) => `  from ${part}${at(place)}`),
  ...row.steps.flatMap(({ what, outcome, detail, value, values, place }) => [
    `  ${outcome} ${what}${detail === undefined ? '' : ` | ${detail}`}${value === undefined ? '' : ` → ${value}`}${at(place)}`,
    ...values.map((seen) => `    ${seen.expression} → ${seen.value}`),
  ]),
  ...row.whyNot.flatMap(({ text, claims }) => [
    `  ${text}`,
    `    ${claims.replaceAll(/\s+/g, ' ')}`,
  ]),
  ...(row.closest === undefined ? [] : [`  closest: ${row.closest}`]),
  ...(row.acceptedWhenSaved ? ['  accepted by the saved file'] : []),
  ...(row.acting === undefined ? [] : [`  acting ${JSON.stringify(row.acting, undefined, 1)}`]),
  `  $ ${row.commandLine}${row.namesFile ? '' : ' <'}`,
  ...row.yaml
    .trimEnd()
    .split('\n')
    .map((line) => `  | ${line}`),
];

const at = (place: WhoamiRow['place']): string =>
  place === undefined
    ? ''
    : ` @${place.range.start.line + 1}:${place.range.start.character + 1}-${place.range.end.line + 1}:${place.range.end.character + 1}`;

test('passes a sample in memory on standard input; nothing reveals more than its claims', async () => {
  const uri = `${workspaceUri}/auth.yaml`;
  const client = await languageClient();
  try {
    await client.open(
      uri,
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer: { url: https://a.example, audiences: [app] }\n  claimMappings: { username: { claim: sub, prefix: "" } }\n',
    );
    const id = await client.connection.sendRequest<string>('authgraph/memorySample', {
      name: 'pasted',
      claims: '{"iss": "https://a.example", "sub": "jane"}',
    });
    const ask = (params: object): Promise<WhoamiReport> =>
      client.connection.sendRequest(whoamiRequest, { uri, ...params });
    const { rows } = await ask({ samples: [id] });
    expect(rows.map(({ headline }) => headline)).toEqual(['pasted → jane · 1 group']);
    expect(rows[0]?.commandLine).toBe(
      'authgraph whoami --config /workspace/auth.yaml --claims - --explain',
    );
    expect(rows[0]?.namesFile).toBe(true);
    expect(client.log).toEqual([]);
    // Requests that no AuthGraph client sends.
    for (const params of [{ samples: 7 }, { as: {} }, { uri: null }]) {
      expect((await ask(params)).rows.length).toBeLessThan(2);
    }
  } finally {
    await client.close();
  }
});

describe('what would be accepted in place of a rejected sample', () => {
  const uri = `${workspaceUri}/auth.yaml`;
  const withRule = (expression: string): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings: { username: { claim: sub, prefix: "" } }
  claimValidationRules: [{ expression: ${JSON.stringify(expression)}, message: never }]
`;
  const main = {
    iss: 'https://a.example',
    sub: 'main',
    env: 'prod',
    event: 'push',
    ref: 'heads/a',
  };
  const pull = { iss: 'https://a.example', sub: 'pull', event: 'pull', ref: 'pull/7' };
  /** Returns the row of the sample `pull`. */
  const rowOf = async ({ open, saved }: { readonly open: string; readonly saved?: string }) => {
    const client = await languageClient({
      files: new Map([
        [`${workspaceUri}/main.claims.json`, JSON.stringify(main)],
        [`${workspaceUri}/pull.claims.json`, JSON.stringify(pull)],
        ...(saved === undefined ? [] : [[uri, saved] as const]),
      ]),
    });
    try {
      await client.open(uri, open);
      const { rows } = await client.connection.sendRequest<WhoamiReport>(whoamiRequest, {
        uri,
        samples: 'all',
      });
      const row = rows.find(({ sample }) => sample.name === 'pull');
      const { whyNot = [], closest, acceptedWhenSaved } = row ?? {};
      return { whyNot: whyNot.map(({ text }) => text), closest, acceptedWhenSaved };
    } finally {
      await client.close();
    }
  };

  test('proposes the values of other samples of the issuer', async () => {
    const open = withRule('has(claims.env) && claims.ref.startsWith("heads/")');
    expect(await rowOf({ open, saved: open })).toEqual({
      whyNot: ['if env were "prod", and ref were "heads/a"'],
    });
  });
  test('compares with the closest accepted sample if more than two claims differ', async () => {
    const open = withRule('has(claims.env) && claims.event == "push" && claims.ref == "heads/a"');
    expect(await rowOf({ open, saved: open })).toEqual({
      whyNot: [],
      closest:
        'main is accepted and has env: "prod" instead of no value, event: "push" instead of "pull", ref: "heads/a" instead of "pull/7"',
    });
  });
  test('proposes to undo an unsaved edit, and no change of the claims', async () => {
    const open = withRule('claims.event == "pusl"');
    expect(await rowOf({ open, saved: withRule('has(claims.event)') })).toEqual({
      whyNot: [],
      acceptedWhenSaved: true,
    });
  });
  test('does not if the saved file rejects the sample too, does not load, or there is none', async () => {
    const open = withRule('claims.event == "push"');
    const changes = { whyNot: ['if event were "push"'] };
    expect(await rowOf({ open, saved: withRule('has(claims.env)') })).toEqual(changes);
    const invalid = `${withRule('has(claims.event)')}anonymous: { enabled: 7 }\n`;
    expect(await rowOf({ open, saved: invalid })).toEqual(changes);
    expect(await rowOf({ open })).toEqual(changes);
  });
});
