/** What the extension finds out about the signature of a pasted token, and how it says so. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSigningKey, keySetOf, mintToken } from '../../engine/src/signed-token/mint.ts';
import { signatureText } from '../../extension/src/identities/key-sets.ts';
import {
  answeredRow,
  shownPlainly,
  signatureInBrief,
  withSignature,
} from '../../extension/src/identities/signature-words.ts';

const ours = await createSigningKey('ES256', 'ours');
const theirs = await createSigningKey('ES256', 'theirs');
const token = await mintToken({ iss: 'https://a.example', sub: 'jane' }, ours);
const good = { name: 'keys.jwks.json', text: JSON.stringify(keySetOf([ours])) };
const other = { name: 'other.jwks.json', text: JSON.stringify(keySetOf([theirs])) };
const odd = { name: 'odd.jwks.json', text: '{"keys":[{"kty":"odd"}]}' };

describe('in words', () => {
  test.each([
    [[], 'signature not checked'],
    [[good], 'signature checked with keys.jwks.json'],
    [[other, odd, good], 'signature checked with keys.jwks.json'],
    [[other], 'signature does not fit other.jwks.json'],
    [[other, odd, other], 'signature does not fit other.jwks.json, other.jwks.json'],
    [[odd], 'signature not checked: odd.jwks.json is no usable key set'],
  ])('%#: %s', async (sets, text) => {
    expect(await signatureText(token, sets)).toBe(text);
  });
  test('an algorithm that is not allowed', async () => {
    const header = Buffer.from('{"alg":"none"}').toString('base64url');
    const unsigned = `${header}.${token.split('.')[1]}.`;
    expect(await signatureText(unsigned, [good])).toBe(
      'signature not checked: the algorithm "none" is not allowed',
    );
  });
});

describe('without WebCrypto, as on a page that came over http', () => {
  beforeEach(() => vi.stubGlobal('crypto', {}));
  afterEach(() => vi.unstubAllGlobals());
  test('nothing is said to be wrong', async () => {
    expect(await signatureText(token, [good])).toBe('signature not checked: no WebCrypto here');
  });
});

test.each([
  [undefined, 'signature not checked'],
  ['signature not checked: odd.jwks.json is no usable key set', 'signature not checked'],
  ['signature checked with keys.jwks.json', 'signature checked'],
  ['signature does not fit a.jwks.json, b.jwks.json', 'signature does not fit'],
])('%j is in brief %j', (text, brief) => {
  expect(signatureInBrief(text)).toBe(brief);
});

describe('the row of whoami', () => {
  const row = {
    sample: { id: 'memory:1', name: 'eve' },
    verdict: 'accepted',
    headline: 'eve → people:eve · 1 group',
    sources: [],
    steps: [],
    whyNot: [{ text: 'if hd were "example.com"', claims: '{}' }],
    acting: { allowed: true, questions: [] },
    commandLine: 'authgraph whoami --claims eve.json a.yaml',
    yaml: 'kind: SelfSubjectReview\n',
  } as const;
  test.each([undefined, 'signature not checked', 'signature checked with keys.jwks.json'])(
    'stays with %j',
    (signature) => {
      expect(answeredRow(row, signature)).toBe(row);
    },
  );
  test.each(['accepted', 'rejected', 'noOpinion'] as const)(
    'is refused where the signature fits no key, also where the claims are %s',
    (verdict) => {
      const answered = answeredRow({ ...row, verdict }, 'signature does not fit keys.jwks.json');
      expect(answered).toMatchObject({
        verdict: 'rejected',
        headline: 'eve refused: signature does not fit',
        whyNot: [],
        commandLine: row.commandLine,
      });
      expect(answered).not.toHaveProperty('acting');
      expect(answered.yaml).toBe(
        '# A server would refuse this token: its signature does not fit keys.jwks.json.\n# Its claims alone would give:\nkind: SelfSubjectReview\n',
      );
    },
  );
});

describe('the step of whoami', () => {
  const step = {
    at: 'jwt[0]',
    what: 'signature',
    outcome: 'skipped',
    detail: 'claims alone carry no signature',
    values: [],
    line: undefined,
  } as const;
  test.each([
    ['signature checked with keys.jwks.json', 'passed', 'checked with keys.jwks.json'],
    ['signature does not fit keys.jwks.json', 'failed', 'does not fit keys.jwks.json'],
    ['signature not checked', 'skipped', 'not checked'],
  ])('%s', (text, outcome, detail) => {
    expect(withSignature(step, text)).toEqual({ ...step, outcome, detail });
  });
  test('stays where nothing is known, and others always do', () => {
    expect(withSignature(step, undefined)).toBe(step);
    const audience = { ...step, what: 'audience' };
    expect(withSignature(audience, 'signature checked with a')).toBe(audience);
  });
});

test.each([
  ['issuers/keys.jwks.json', 'issuers/keys.jwks.json'],
  ['https://a.example:8443/realms/x', 'https://a.example:8443/realms/x'],
  ['[x](command:evil).jwks.json', '-x-command:evil-.jwks.json'],
  ['a\u202Esj.jwks.json', 'a-sj.jwks.json'],
])('%j is shown as %s', (path, shown) => {
  expect(shownPlainly(path)).toBe(shown);
});
