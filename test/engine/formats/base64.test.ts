import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  decodeBase64Url,
  decodeByTable,
  decodeGoBase64,
  encodeBase64Url,
} from '../../../engine/src/formats/base64.ts';
import {
  decodeBase64UrlFastPath,
  isUrlSafeAscii,
} from '../../../engine/src/formats/base64-fast-path.ts';

describe('the strict decoder', () => {
  test('accepts only the canonical encoding', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = encodeBase64Url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect(decodeBase64Url(text)).toEqual(bytes);
        expect(decodeByTable(text)).toEqual(bytes);
      }),
    );
  });
  test.each([
    'QQ==',
    'QR',
    'QUF',
    'Q',
    'QU E',
    'QU\nE',
    'QUFB\n',
    'QU FB',
    'QUFB=',
    'Q+E_',
    'Q/E_',
    'QUE=',
    'é',
    'QUEé',
  ])('rejects %j', (text) => {
    expect(decodeBase64Url(text)).toBeUndefined();
    expect(decodeBase64UrlFastPath(text, isUrlSafeAscii(text))).toBeUndefined();
  });
});

describe('the decoder of the host', () => {
  const alphabet = 'AQZaz09-_+/=. \n\t%\0\u00e9\u0141\u0101\ud83d';

  test('decodes any string like the strict decoder', () => {
    const texts = fc.array(fc.constantFrom(...alphabet), { maxLength: 24 });
    fc.assert(
      fc.property(texts, (characters) => {
        const text = characters.join('');
        const bytes = decodeBase64UrlFastPath(text, isUrlSafeAscii(text));
        expect(bytes && Uint8Array.from(bytes)).toEqual(decodeBase64Url(text));
      }),
      { numRuns: 5000 },
    );
  });

  test('decodes strings with one unusual character like the strict decoder', () => {
    for (const unusual of alphabet) {
      for (const text of [
        unusual,
        `QUFB${unusual}`,
        `${unusual}QUFB`,
        `QU${unusual}FB`,
        `QUFBQU${unusual}`,
      ]) {
        const bytes = decodeBase64UrlFastPath(text, isUrlSafeAscii(text));
        expect(bytes && Uint8Array.from(bytes)).toEqual(decodeBase64Url(text));
      }
    }
  });

  test('decodes longer strings', () => {
    const text = 'QUFB'.repeat(3000);
    const bytes = decodeBase64UrlFastPath(text, true);
    expect(bytes && Uint8Array.from(bytes)).toEqual(decodeBase64Url(text));
  });
});

describe('the decoder like that of Go', () => {
  const url = { alphabet: 'url', padding: 'none' } as const;
  const standard = { alphabet: 'standard', padding: 'required' } as const;
  test.each([
    [url, 'QUE', 'AA'],
    [url, 'QU\r\nE', 'AA'],
    [url, 'QUF', 'AA'],
    [url, 'QUE=', 3],
    [url, 'Q', 0],
    [url, 'QUFBQ', 4],
    [url, 'QU E', 2],
    [url, '+A', 0],
    [standard, 'QUE=', 'AA'],
    [standard, 'QQ==', 'A'],
    [standard, 'QQ=\n=', 'A'],
    [standard, 'QQ=', 3],
    [standard, 'QQ', 0],
    [standard, 'QUE', 0],
    [standard, 'QQ=A', 2],
    [standard, '=', 0],
    [standard, 'QUE=x', 4],
    [standard, 'Q_E=', 1],
  ])('%j %j', (options, text, expected) => {
    const decoded = decodeGoBase64(text, options);
    expect(decoded.kind === 'bytes' ? Buffer.from(decoded.bytes).toString() : decoded.error).toBe(
      typeof expected === 'number' ? `illegal base64 data at input byte ${expected}` : expected,
    );
  });
});
