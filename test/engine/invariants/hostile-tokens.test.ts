import { expect, test } from 'vitest';
import { fakePorts } from '../../support/fake-ports.ts';
import { ask, jwtNode, linkNodes, testIssuer } from '../../support/test-issuer.ts';

const encode = (text: string): string => Buffer.from(text).toString('base64url');
const claims = (more: string) =>
  encode(`{"iss":"https://issuer.example.com","aud":"app","sub":"jane","exp":1700000600,${more}}`);
const header = (more: string) => encode(`{"alg":"ES256","kid":"k1",${more}}`);
const plain = encode('{"alg":"ES256","kid":"k1"}');
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const items = `[${'0,'.repeat(200_000)}0]`;

const hostile: readonly (readonly [string, string])[] = [
  ['two million characters', 'a'.repeat(2_000_000)],
  ['a million dots', '.'.repeat(1_000_000)],
  ['two dots and nothing', '..'],
  ['a header of 200,000 items', `${header(`"x":${items}`)}.${claims('"a":1')}.AA`],
  ['a header of 100,000 levels', `${header(`"x":${nested(100_000)}`)}.${claims('"a":1')}.AA`],
  [
    'a chain of 100,000 certificates',
    `${header(`"x5c":[${'"",'.repeat(100_000)}""]`)}.${claims('"a":1')}.AA`,
  ],
  ['claims of 200,000 items', `${plain}.${claims(`"x":${items}`)}.AA`],
  ['claims of 9,990 levels', `${plain}.${claims(`"x":${nested(9_990)}`)}.AA`],
  ['claims of 100,000 levels', `${plain}.${claims(`"x":${nested(100_000)}`)}.AA`],
  [
    'a lone surrogate at the bottom',
    `${plain}.${claims(`"x":${'['.repeat(9_990)}"\\ud800"${']'.repeat(9_990)}`)}.AA`,
  ],
  ['numbers beyond a double', `${plain}.${claims(`"x":[${'1e999,'.repeat(100_000)}1]`)}.AA`],
  ['a number of 300,000 digits', `${plain}.${claims(`"exp":${'9'.repeat(300_000)}`)}.AA`],
  ['100,000 repeated members', `${plain}.${claims(`${'"exp":1,'.repeat(100_000)}"exp":2`)}.AA`],
  [
    '100,000 claim sources',
    `${plain}.${claims(`"_claim_names":{${Array.from({ length: 100_000 }, (_, n) => `"c${n}":"s"`).join()}},"_claim_sources":{"s":{}}`)}.AA`,
  ],
  ['white space between all characters', [...`${plain}.${claims('"a":1')}.AAAA`].join('\n')],
];

test.each(hostile)('%s is rejected in both modes', async (_name, token) => {
  const issuer = await testIssuer();
  for (const mode of ['exact', 'product'] as const) {
    const ports = fakePorts();
    issuer.publish(ports.http);
    const linked = await linkNodes([jwtNode(issuer)], ports, { mode });
    expect((await ask(linked, token)).kind).toBe('rejected');
  }
});
