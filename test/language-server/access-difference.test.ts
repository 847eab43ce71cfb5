/** Who gains and who loses access by an unsaved edit, and who can become a user, with examples and proofs. */
import { describe, expect, test } from 'vitest';
import { CancellationTokenSource, LSPErrorCodes } from 'vscode-languageserver';
import { fullControlUndecided } from '../../engine/src/simulate/difference/system-groups.ts';
import { limits } from '../../language-server/src/limits.ts';
import {
  type AccessDifferenceReport,
  accessDifferenceRequest,
  changeMarkdownRequest,
  type WhoCanReport,
  whoCanRequest,
} from '../../language-server/src/protocol.ts';
import { problems } from '../../language-server/src/unavailable-reasons.ts';
import { languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const configuration = (
  prefix: string,
  rules = '',
): string => `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: { url: https://a.example, audiences: [app] }
  claimMappings:
    username: { claim: sub, prefix: 'oidc:' }
    groups: { claim: groups, prefix: '${prefix}' }
${rules}`;
const rule = `  userValidationRules:
  - expression: "!user.groups.exists(g, g.startsWith('system:'))"
`;
const masters = { uri, field: 'groups', value: 'system:masters', match: 'exact' };

const opened = async (text: string) => {
  const client = await languageClient({ files: new Map([[uri, configuration('oidc:')]]) });
  await client.open(uri, text);
  const compare = (params: object = {}): Promise<AccessDifferenceReport> =>
    client.connection.sendRequest(accessDifferenceRequest, { uri, ...params });
  const whoCan = (params: object): Promise<WhoCanReport> =>
    client.connection.sendRequest(whoCanRequest, params);
  return { client, compare, whoCan };
};

test('an unsaved edit that lets system:masters in, and its fix', async () => {
  const { client, compare, whoCan } = await opened(configuration(''));
  try {
    const { rows } = await compare();
    expect(rows).toMatchObject([
      {
        gained: { kind: 'proved', text: 'no one gains access' },
        lost: { kind: 'proved', text: 'no one loses access' },
        changed: {
          kind: 'found',
          changes: [
            {
              witness: { kind: 'token', claims: expect.stringContaining('"system:masters"') },
              text: expect.stringMatching(/^a token with the claims \{.*"system:masters"/),
              details: expect.arrayContaining(['group system:masters is gained']),
              before: { groups: expect.arrayContaining(['oidc:system:masters']) },
              after: { groups: expect.arrayContaining(['system:masters']) },
              cause: [
                {
                  field: 'jwt[0].claimMappings.groups',
                  place: { uri, range: { start: { line: 6 } } },
                },
              ],
            },
            {},
          ],
        },
      },
    ]);
    expect((await whoCan(masters)).rows).toMatchObject([
      {
        kind: 'found',
        examples: [{ user: { groups: ['system:masters', 'system:authenticated'] } }],
      },
    ]);
    await client.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: configuration('', rule) }],
    });
    expect((await whoCan(masters)).rows).toMatchObject([{ kind: 'proved' }]);
    expect((await compare()).rows).toMatchObject([{ gained: { kind: 'proved' } }]);
    expect((await compare({ against: configuration('', rule) })).rows).toMatchObject([
      {
        gained: { kind: 'proved' },
        lost: { kind: 'proved' },
        changed: { kind: 'proved' },
        settings: [],
      },
    ]);
    expect(client.log).toEqual([]);
  } finally {
    await client.close();
  }
});

test('names the construct that prevents a proof, with its place', async () => {
  const unsupported = (last: string): string =>
    `  claimValidationRules: [{ expression: "claims.sub.indexOf('zz') == 9${last}" }]\n`;
  const { client, compare } = await opened(
    configuration('oidc:', unsupported(" && claims.sub.startsWith('zz')")),
  );
  try {
    const { rows } = await compare({ against: configuration('oidc:', unsupported('')) });
    expect(rows).toMatchObject([
      {
        gained: { kind: 'proved' },
        lost: {
          kind: 'undecided',
          tried: expect.any(Number),
          reasons: [{ text: 'the function indexOf' }],
        },
      },
    ]);
  } finally {
    await client.close();
  }
});

test('reports why there is no answer', async () => {
  const { client, compare, whoCan } = await opened(configuration('oidc:').replace('https', 'http'));
  try {
    expect(await compare()).toEqual({ rows: [], problem: problems.hasErrors });
    expect(await whoCan(masters)).toEqual({ rows: [], problem: problems.hasErrors });
    expect(await whoCan({ uri, field: 'shoes', value: 'x' })).toEqual({
      rows: [],
      problem: problems.noTarget,
    });
    expect(await compare({ uri: '' })).toEqual({ rows: [], problem: problems.noneOpen });
    expect(await compare({ uri: `${workspaceUri}/other.yaml` })).toMatchObject({ rows: [] });
  } finally {
    await client.close();
  }
});

test('a configuration that is removed from a document loses all access', async () => {
  const key = (name: string, text: string): string =>
    `  ${name}: |\n${text.replaceAll(/^(?=.)/gm, '    ')}`;
  const one = `apiVersion: v1
kind: ConfigMap
metadata: { name: auth }
data:
${key('a.yaml', configuration('oidc:'))}`;
  const two = one + key('b.yaml', configuration('oidc:').replaceAll('a.example', 'b.example'));
  const { client, compare } = await opened(one);
  try {
    const { rows } = await compare({ against: two });
    expect(rows).toMatchObject([
      { lost: { kind: 'proved' } },
      {
        gained: { kind: 'proved' },
        lost: { kind: 'found', changes: [{ witness: { issuer: 'https://b.example' } }] },
      },
    ]);
  } finally {
    await client.close();
  }
});

const hard = (last: string): string =>
  `  claimValidationRules: [{ expression: "${Array.from({ length: 8 }, (_, at) => `claims.a${at}.indexOf(claims.b${at}) == ${at + 3}`).join(' || ')}${last}" }]\n`;
const hardest = " || claims.z.indexOf('zz') == 7";

test('ends early where a complete comparison would take seconds', async () => {
  const { client, compare } = await opened(configuration('oidc:', hard(hardest)));
  try {
    const { rows } = await compare({ against: configuration('oidc:', hard('')) });
    // Each question has a limit of its own, so that the first one leaves evaluations for the next.
    const { questionEvaluations, comparisonEvaluations } = limits;
    const tried = comparisonEvaluations - questionEvaluations;
    expect(rows).toMatchObject([
      {
        gained: { kind: 'undecided', tried: questionEvaluations },
        lost: { kind: 'undecided', tried },
        changed: { kind: 'proved' },
        fullControl: fullControlUndecided,
      },
    ]);
  } finally {
    await client.close();
  }
}, 60_000);

describe.each([
  ['the comparison', accessDifferenceRequest, {}],
  ['the report', changeMarkdownRequest, { before: 'a', after: 'b' }],
  ['the search for a user', whoCanRequest, { ...masters, value: 'oidc:dev' }],
])('while %s runs', (_, method, params) => {
  const started = async () => {
    const { client } = await opened(configuration('oidc:', hard(hardest)));
    const source = new CancellationTokenSource();
    let isDone = false;
    const answer = client.connection
      .sendRequest(
        method,
        { uri, against: configuration('oidc:', hard('')), ...params },
        source.token,
      )
      .finally(() => {
        isDone = true;
      });
    return { client, source, answer, isDone: () => isDone };
  };
  const hover = { textDocument: { uri }, position: { line: 5, character: 6 } };

  test('a hover is answered, and it can be canceled', async () => {
    const { client, source, answer, isDone } = await started();
    try {
      expect(await client.connection.sendRequest('textDocument/hover', hover)).not.toBeNull();
      expect(isDone()).toBe(false);
      source.cancel();
      await expect(answer).rejects.toMatchObject({ code: LSPErrorCodes.RequestCancelled });
    } finally {
      await client.close();
    }
  }, 60_000);
});
