/** Whoami: verdict, user, steps, why-not, the command and the YAML. */

import { expect, test } from 'vitest';
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
