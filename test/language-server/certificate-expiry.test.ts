/** Hovers and hints on certificate authorities: subjects, and how long they are valid. */
import { afterEach, expect, test } from 'vitest';
import type { Hover, InlayHint, MarkupContent } from 'vscode-languageserver';
import { makeCert } from '../attacks/lib/der.mjs';
import { type LanguageClient, languageClient, workspaceUri } from '../support/language-client.ts';

const uri = `${workspaceUri}/auth.yaml`;
const dayMs = 86_400_000;
/** The time at which certificates are created, a whole second before which they are valid. */
const createdAt = Math.floor(Date.now() / 1000) * 1000;

let client: LanguageClient;
afterEach(() => client.close());

const certificate = (name: string, days: number): string =>
  makeCert({ subject: [['CN', name]], ca: true, notBefore: -3600, notAfter: days * 86_400 }).pem;

const open = async (authority: string, settings: object = {}): Promise<void> => {
  client = await languageClient({ now: createdAt, settings });
  await client.open(
    uri,
    `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://a.example
    audiences: [app]
    certificateAuthority: ${authority}
  claimMappings:
    username: {claim: sub, prefix: "a:"}
`,
  );
};

const block = (...certificates: readonly string[]): string =>
  `|\n${certificates.join('').trim().replace(/^/gm, '      ')}`;

const hover = async (character = 40, line = 7): Promise<string | undefined> => {
  const found = await client.connection.sendRequest<Hover | null>('textDocument/hover', {
    textDocument: { uri },
    position: { line, character },
  });
  return (found?.contents as MarkupContent | undefined)?.value;
};

const hints = async (): Promise<readonly InlayHint[]> =>
  client.connection.sendRequest('textDocument/inlayHint', {
    textDocument: { uri },
    range: { start: { line: 0, character: 0 }, end: { line: 100, character: 0 } },
  });

const day = (days: number): string =>
  new Date(createdAt + days * dayMs).toISOString().replace(/T.*/, '');

test('a hover lists the certificates with their expiry', async () => {
  await open(
    block(certificate('first', 400.5), certificate('near', 12.5), certificate('old', -0.01)),
  );
  expect(await hover()).toMatch(
    new RegExp(
      [
        String.raw`^\*\*Certificate authority\*\*: 3 certificates`,
        '',
        String.raw`\| subject \| valid until \|  \|`,
        String.raw`\| --- \| --- \| --- \|`,
        String.raw`\| \`"first" \(SN=\d+\)\` \| ${day(400.5)} \| 400 days left \|`,
        String.raw`\| \`"near" \(SN=\d+\)\` \| ${day(12.5)} \| \*\*12 days left\*\* \|`,
        String.raw`\| \`"old" \(SN=\d+\)\` \| ${day(-0.01)} \| expired at .* \|$`,
      ].join('\n'),
    ),
  );
});

test('a hint marks an authority with a certificate that expires within 30 days', async () => {
  await open(block(certificate('later', 29.5), certificate('near', 1.5), certificate('far', 400)));
  expect(await hints()).toEqual([
    expect.objectContaining({
      position: { line: 6, character: '    certificateAuthority: |'.length },
      label: '⚠ 1 day left',
      tooltip: {
        kind: 'plaintext',
        value: expect.stringMatching(
          new RegExp(
            String.raw`^"later" \(SN=\d+\) expires on ${day(29.5)}\n"near" \(SN=\d+\) expires on ${day(1.5)}$`,
          ),
        ),
      },
    }),
  ]);
});

test('the hint of a quoted authority is before the value', async () => {
  await open(JSON.stringify(certificate('near', 12.5)));
  expect(await hints()).toMatchObject([
    {
      position: { line: 6, character: '    certificateAuthority: '.length },
      label: '⚠ 12 days left',
    },
  ]);
  expect(await hover(60, 6)).toContain('1 certificate');
});

test.each([
  ['far', () => block(certificate('far', 31)), {}],
  // A lint reports it.
  ['expired', () => block(certificate('old', -0.01)), {}],
  ['disabled', () => block(certificate('near', 12)), { inlayHints: { enabled: false } }],
  ['malformed', () => '|\n      -----BEGIN CERTIFICATE-----', {}],
  ['of another type', () => '12', {}],
])('no hint: %s', async (_, authority, settings) => {
  await open(authority(), settings);
  expect(await hints()).toEqual([]);
  expect(client.log).toEqual([]);
});

test('the name of a certificate is not interpreted', async () => {
  const name = `\`|[x](command:y)\u202e\n${'n'.repeat(5000)}`;
  await open(block(certificate(name, 12.5)));
  const shown = (await hover()) ?? '';
  expect(shown.split('\n')).toHaveLength(5);
  expect(shown).not.toContain('\u202e');
  expect(shown.length).toBeLessThan(400);
  expect(await hints()).toMatchObject([
    { tooltip: { kind: 'plaintext', value: expect.stringMatching(/^"[^\n\u202e]{1,400}$/) } },
  ]);
});
