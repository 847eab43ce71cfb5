/** Checking the signature of a pasted token, and describing the result. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSigningKey, keySetOf, mintToken } from '../../engine/src/node/mint.ts';
import { describeSignature } from '../../extension/src/identities/key-sets.ts';
import { signatureSummary, withoutMarkup } from '../../extension/src/identities/signature-text.ts';

const ownKey = await createSigningKey('ES256', 'ours');
const otherKey = await createSigningKey('ES256', 'theirs');
const token = await mintToken({ iss: 'https://a.example', sub: 'jane' }, ownKey);
const ownKeys = { name: 'keys.jwks.json', text: JSON.stringify(keySetOf([ownKey])) };
const otherKeys = { name: 'other.jwks.json', text: JSON.stringify(keySetOf([otherKey])) };
const malformed = { name: 'malformed.jwks.json', text: '{"keys":[{"kty":"unknown"}]}' };

describe('the description', () => {
  test.each([
    [[], 'signature not checked'],
    [[ownKeys], 'signature checked with keys.jwks.json'],
    [[otherKeys, malformed, ownKeys], 'signature checked with keys.jwks.json'],
    [[otherKeys], 'signature does not match other.jwks.json'],
    [
      [otherKeys, malformed, otherKeys],
      'signature does not match other.jwks.json, other.jwks.json',
    ],
    [[malformed], 'signature not checked: malformed.jwks.json is not a usable key set'],
  ])('%#: %s', async (sets, text) => {
    expect(await describeSignature(token, sets)).toBe(text);
  });
  test('names an algorithm that is not allowed', async () => {
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    const unsigned = `${header}.${token.split('.')[1]}.`;
    expect(await describeSignature(unsigned, [ownKeys])).toBe(
      'signature not checked: the algorithm "none" is not allowed',
    );
  });
});

describe('without WebCrypto, as on a page loaded over HTTP', () => {
  beforeEach(() => vi.stubGlobal('crypto', {}));
  afterEach(() => vi.unstubAllGlobals());
  test('reports that the signature was not checked', async () => {
    expect(await describeSignature(token, [ownKeys])).toBe(
      'signature not checked: WebCrypto is not available',
    );
  });
});

test.each([
  [undefined, 'signature not checked'],
  ['signature not checked: malformed.jwks.json is not a usable key set', 'signature not checked'],
  ['signature checked with keys.jwks.json', 'signature checked'],
  ['signature does not match a.jwks.json, b.jwks.json', 'signature does not match'],
])('%j is summarized as %j', (text, summary) => {
  expect(signatureSummary(text)).toBe(summary);
});

test.each([
  ['issuers/keys.jwks.json', 'issuers/keys.jwks.json'],
  ['https://a.example:8443/realms/x', 'https://a.example:8443/realms/x'],
  ['[x](command:evil).jwks.json', '-x-command:evil-.jwks.json'],
  ['a\u202Esj.jwks.json', 'a-sj.jwks.json'],
])('%j is shown as %s', (path, shown) => {
  expect(withoutMarkup(path)).toBe(shown);
});
