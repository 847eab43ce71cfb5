import { describe, expect, test } from 'vitest';
import { linkStaticToken } from '../../../../engine/src/authenticators/static-token/authenticate.ts';
import { compileStaticToken } from '../../../../engine/src/authenticators/static-token/compile.ts';
import {
  flags,
  readStaticToken,
  secretFilesOfStaticToken,
} from '../../../../engine/src/authenticators/static-token/config.ts';
import { explainStaticToken } from '../../../../engine/src/authenticators/static-token/explain.ts';
import type { FlagValues } from '../../../../engine/src/flags/flag.ts';
import { encodeUtf8 } from '../../../../engine/src/formats/utf8.ts';
import type { Mode } from '../../../../engine/src/model/differences.ts';
import { secret } from '../../../../engine/src/model/secret.ts';
import { fakePorts } from '../../../support/fake-ports.ts';
import { nameOrReason } from '../../../support/test-issuer.ts';

const { digest } = fakePorts();

const compiled = (text: string | Uint8Array, mode: Mode = 'product') => {
  const bytes = typeof text === 'string' ? encodeUtf8(text) : text;
  const result = compileStaticToken({ file: '/etc/tokens.csv', bytes }, { digest, mode });
  if (result.kind === 'failed') throw new Error(result.error);
  return result;
};

const decideToken = async (text: string | Uint8Array, token: string | undefined, mode?: Mode) => {
  const { node, material } = compiled(text, mode);
  const { authenticate } = linkStaticToken(node, { digest }, material);
  const request = {
    path: '/',
    token: token === undefined ? undefined : secret(token),
    audiences: [],
  };
  return nameOrReason(await authenticate(request, new AbortController()));
};

describe('startup warnings', () => {
  test('always include the risk', () => {
    const [risk, ...others] = compiled('t,alice,1\n').warnings;
    expect(risk).toContain("static tokens in '/etc/tokens.csv' are in use");
    expect(others).toEqual([]);
  });
  test('report ignored lines with kube-apiserver’s messages', () => {
    const { warnings } = compiled('\n,alice,1\nt,bob,2\n\nt,carol,3\nu,,4\n');
    expect(warnings.slice(1)).toEqual([
      "empty token has been found in token file '/etc/tokens.csv', record number '1'",
      "duplicate token has been found in token file '/etc/tokens.csv', record number '3'",
      "token without a user name has been ignored in token file '/etc/tokens.csv', record number '4'",
    ]);
  });
});

describe('a line without a username', () => {
  const text = 't,alice,1\nt,,2\nu,bob,3\n';
  test('removes the token of earlier lines', async () => {
    expect(await decideToken(text, 't')).toBe('no opinion');
    expect(await decideToken(text, 'u')).toBe('accepted bob');
  });
  test('is replaced by a later line', async () => {
    expect(await decideToken(`${text}t,dave,4\n`, 't')).toBe('accepted dave');
  });
  test('is used in exact mode', async () => {
    expect(await decideToken(text, 't', 'exact')).toBe('accepted ');
  });
});

test('a line with too few columns makes the whole file invalid', () => {
  const bytes = encodeUtf8('t,alice,1\nu,bob\n');
  expect(compileStaticToken({ file: 'f', bytes }, { digest, mode: 'product' })).toEqual({
    kind: 'failed',
    error: "token file 'f' must have at least 3 columns (token, user name, user uid), found 2",
  });
});

test('tokens with different invalid bytes are different', async () => {
  const bytes = Uint8Array.from([0x74, 0xff, ...encodeUtf8(',alice,1\n')]);
  expect(await decideToken(bytes, 't\udcff')).toBe('accepted alice');
  expect(await decideToken(bytes, 't\udcfe')).toBe('no opinion');
  expect(await decideToken(bytes, 't\ufffd')).toBe('no opinion');
  expect(await decideToken(bytes, '"t\\udcff"')).toBe('no opinion');
});

test('has no opinion without a token', async () => {
  expect(await decideToken('t,alice,1', undefined)).toBe('no opinion');
});

test('explains which users the file has', () => {
  const { node } = compiled('t,alice,,"a,b"\nu,bob,u-2\n');
  const { sentence, parts } = explainStaticToken(node);
  expect(sentence).toBe('the tokens in "/etc/tokens.csv" identify 2 users; they never expire.');
  expect(parts.map((part) => part.sentence)).toEqual([
    '"alice" in "a" and "b".',
    '"bob" with the UID "u-2".',
  ]);
  const many = compiled(Array.from({ length: 25 }, (_, n) => `t${n},u${n},${n}`).join('\n'));
  expect(explainStaticToken(many.node).parts.at(-1)?.sentence).toBe('and 5 more.');
});

test('reads the flag', () => {
  const values = (text: string): FlagValues => ({
    isSet: () => text !== '',
    string: () => text,
    bool: () => false,
    number: () => 0,
    list: () => [],
    map: () => new Map(),
  });
  expect(flags.map(({ name }) => name)).toEqual(['token-auth-file']);
  expect(readStaticToken(values(''))).toEqual({ file: undefined });
  const settings = readStaticToken(values('f.csv'));
  expect(settings).toEqual({ file: 'f.csv' });
  expect(secretFilesOfStaticToken(settings)).toEqual(['f.csv']);
});
