/** `authgraph explain` recognizes what `authgraph serve` prints when it does not start. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Command } from '../../engine/src/cli/command.ts';
import { explain } from '../../engine/src/cli/commands/explain.ts';
import { serve } from '../../engine/src/cli/commands/serve.ts';
import { type CapturedOptions, capturedIo } from '../support/captured-io.ts';

/** Runs a command whose modules are loaded already. */
const run = async (command: Command, args: readonly string[], options: CapturedOptions = {}) => {
  const { io, out } = capturedIo(options);
  return { code: await command.run(args, io), ...out };
};

const folder = mkdtempSync(join(tmpdir(), 'authgraph-explain-'));
const at = (name: string): string => join(folder, name);

const valid = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: https://issuer.example, audiences: [app]}
  claimMappings:
    username: {claim: sub, prefix: ""}
`;
const rules = (...expressions: readonly string[]): string =>
  `${valid}  claimValidationRules:\n${expressions.map((one) => `  - expression: ${JSON.stringify(one)}\n`).join('')}`;

/** Configurations that do not load. */
const configurations: Readonly<Record<string, string>> = {
  'unknown field': valid.replace('claimMappings', 'claimMapping'),
  'a tab': valid.replace('  claimMappings', '\tclaimMappings'),
  'an open bracket': valid.replace('[app]', '[app'),
  'another kind': valid.replace('AuthenticationConfiguration', 'Other'),
  'another version': valid.replace('/v1', '/v9'),
  'no kind': valid.replace('kind: AuthenticationConfiguration\n', ''),
  'a list': '- a\n',
  empty: '',
  'a repeated key': `${valid}    username: {claim: a, prefix: ""}\n`,
  'a wrong type': valid.replace('[app]', 'app'),
  http: valid.replace('https', 'http'),
  'several errors': valid.replace('https', 'http').replace(', prefix: ""', ''),
  'a reserved key': `${valid}    extra: [{key: k8s.io/a, valueExpression: claims.a}]\n`,
  'no boolean': rules('claims.a'),
  'broken expressions': rules('claims.', 'user.x == 1', 'a &&\nb'),
  'an egress selector': valid.replace('[app]', '[app], egressSelectorType: controlplane'),
  'an anonymous section': `${valid}anonymous: {enabled: false, conditions: [{path: /x}]}\n`,
};

/** Flags that do not fit together. */
const flags: Readonly<Record<string, readonly string[]>> = {
  'an unknown flag': ['--authentication-conf=x'],
  'a wrong value': ['--anonymous-auth=maybe'],
  'a missing file': ['--authentication-config', at('none.yaml')],
  'a folder': ['--authentication-config', folder],
  'file and flags': ['--authentication-config', at('valid'), '--oidc-issuer-url=https://a.example'],
  'an incomplete issuer': ['--oidc-issuer-url=https://a.example'],
  'an issuer without TLS': ['--oidc-issuer-url=http://a.example', '--oidc-client-id=a'],
  'an algorithm': [
    '--oidc-issuer-url=https://a.example',
    '--oidc-client-id=a',
    '--oidc-signing-algs=HS256',
  ],
  'a token file': ['--token-auth-file', at('tokens.csv')],
  'a client CA': ['--client-ca-file', at('valid')],
  'a webhook': ['--authentication-token-webhook-config-file', at('tokens.csv')],
  'a port': ['--secure-port=0'],
  'a feature gate': ['--feature-gates=Nope=true'],
};

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(at('valid'), valid);
  writeFileSync(at('tokens.csv'), 'a,b\n');
  for (const [name, text] of Object.entries(configurations)) writeFileSync(at(name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

const failures: readonly (readonly [string, readonly string[]])[] = [
  ...Object.keys(configurations).map(
    (name) => [name, ['--authentication-config', at(name)]] as const,
  ),
  ...Object.entries(flags),
];

describe.each(failures)('%s', (_, args) => {
  test('the last error is explained', async () => {
    const served = await run(serve, args);
    expect(served.code).not.toBe(0);
    const lines = served.stderr.trimEnd().split('\n');
    const from = lines.findLastIndex((line) => line.startsWith('error: '));
    const error = lines
      .slice(from)
      .join('\n')
      .replace(/\nusage: [\s\S]*$/, '');
    expect(from).toBeGreaterThanOrEqual(0);
    for (const text of [lines[from] ?? '', error, served.stderr]) {
      const { code, stdout, stderr } = await run(explain, ['-'], {
        files: { '-': text },
      });
      expect({ code, stderr: code === 0 ? '' : stderr, text }).toEqual({
        code: 0,
        stderr: '',
        text,
      });
      expect(stdout).toContain('To fix it:');
      // Code frames are not explained.
      expect(stderr).not.toMatch(/ \| |-->/);
    }
  });
});
