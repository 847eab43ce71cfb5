/** docs/limits.md names every limit of the code with its value. A limit is a constant named like one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentLimits } from '../../engine/src/documents/yaml/limits.ts';
import {
  bodyLimits,
  connectionLimits,
  fairnessLimits,
  headerLimits,
  http2Limits,
  listLimits,
  loopLimits,
  memoizedStrings,
  requestLimits,
  watchLimits,
  webhookLimits,
} from '../../engine/src/server/limits.ts';
import { limits as editorLimits } from '../../language-server/src/limits.ts';

const root = join(import.meta.dirname, '../..');
const isLimit =
  /^(?:max|min|goMax|goMin|most|deepest|longest|largest|smallest|least)[A-Z]|[a-z](?:Limit|Ms|Bytes|Megabytes)$/;

/** Constants that are named like limits but are none, such as the ranges of number types. */
const noLimits = new Set([
  'cel/check/string-format-check.ts maxInt64',
  'cel/values/int64.ts maxInt64',
  'cel/values/int64.ts maxUint64',
  'cel/syntax/literals.ts maxInt',
  'cel/syntax/literals.ts maxUint',
  'cel/syntax/literals.ts maxCodePoint',
  'cel/values/message-value.ts maxNanos',
  'cel/values/parse-quantity.ts maxNanos',
  'diagnostics/code-frame.ts minTextWidth',
  'language-server/features/whoami.ts minRuns',
  'documents/yaml/text-cursor.ts blockBytes',
  'documents/yaml/yaml-scalar.ts largestInt',
  'documents/yaml/yaml-scalar.ts largestUint',
  'formats/cache-lifetime.ts dayMs',
  'formats/x509/public-key.ts largestExponent',
  'formats/go-float.ts largestPlainExponent',
  'node/clock.ts maxWaitMs',
  'node/digest.ts keyBytes',
  'node/server-identity.ts identityBytes',
  'server/http2/frame.ts frameHeaderBytes',
  'server/http2/frame.ts maxWindow',
  'server/http2/hpack/decoder.ts initialTableBytes',
  'server/http2/hpack/decoder.ts maxIntegerBits',
  'server/http2/hpack/decoder.ts maxSizeUpdates',
  'server/http2/hpack/encoder.ts maxCharacterBytes',
  'server/http2/hpack/encoder.ts maxIntegerBytes',
  'server/http2/hpack/huffman.ts longestBits',
  'server/http2/hpack/huffman.ts maxPaddingBits',
  'server/http2/payload.ts priorityBytes',
  'signed-token/standard-claims.ts maxInt64',
]);

/** `3 * 4`, `2n ** 31n - 1n`, `2 * bodyLimits.bytes` -> number. */
const numberOf = (text: string): number => {
  const sum = text.split(' - ');
  if (sum.length > 1) return sum.map(numberOf).reduce((left, right) => left - right);
  const power = text.split(' ** ');
  if (power.length > 1) return power.map(numberOf).reduce((left, right) => left ** right);
  const product = text.split(' * ');
  if (product.length > 1) return product.map(numberOf).reduce((left, right) => left * right);
  if (text === 'kibibyte') return 1024;
  if (text === 'mebibyte') return 1024 * 1024;
  if (text === 'bodyLimits.bytes') return bodyLimits.bytes;
  if (text === 'limits.documentLength') return editorLimits.documentLength;
  return Number(text.replaceAll('_', '').replace(/n$/, ''));
};

const limits = new Map<string, number>();
/** Prefixes of paths on the page, by folder. */
const packages = new Map([
  ['engine/src', ''],
  ['language-server/src', 'language-server/'],
  ['extension/src', 'extension/'],
]);
const sources = [...packages].flatMap(([folder, called]) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .map((name) => ({ file: join(root, folder, name), path: `${called}${name}` })),
);
for (const { file, path } of sources) {
  const text = readFileSync(file, 'utf8');
  for (const [, name = '', value = ''] of text.matchAll(
    /^(?:export )?const (\w+)(?:: \w+)? =\s*([\d_(][\w *.+()-]*);/gm,
  )) {
    const key = `${path.replaceAll('\\', '/')} ${name}`;
    if (isLimit.test(name) && !noLimits.has(key)) limits.set(key, numberOf(value));
  }
}
for (const [name, table] of Object.entries({
  'documents/yaml/limits.ts documentLimits': documentLimits,
  'server/limits.ts bodyLimits': bodyLimits,
  'server/limits.ts headerLimits': headerLimits,
  'server/limits.ts connectionLimits': connectionLimits,
  'server/limits.ts http2Limits': http2Limits,
  'server/limits.ts fairnessLimits': fairnessLimits,
  'server/limits.ts loopLimits': loopLimits,
  'server/limits.ts requestLimits': requestLimits,
  'server/limits.ts webhookLimits': webhookLimits,
  'server/limits.ts watchLimits': watchLimits,
  'server/limits.ts listLimits': listLimits,
  'server/limits.ts memoizedStrings': memoizedStrings,
  'language-server/limits.ts limits': editorLimits,
})) {
  for (const [member, value] of Object.entries(table)) limits.set(`${name}.${member}`, value);
}

const factors = new Map([
  ['Ki', 1024],
  ['KiB', 1024],
  ['Mi', 1024 * 1024],
  ['MiB', 1024 * 1024],
]);

/** `1 MiB`, `4,096`, `0.5 s` (of a name in milliseconds) -> the number of the code. */
const documentedNumber = (text: string, name: string): number => {
  const [, digits = '', unit = ''] = /^([\d.,]*\d)(?: ([A-Za-z]+))?/.exec(text) ?? [];
  const number = Number(digits.replaceAll(',', ''));
  if (name.endsWith('Megabytes')) return number;
  if (unit === 's' && name.endsWith('Ms')) return Math.round(number * 1000);
  return number * (factors.get(unit) ?? 1);
};

const documented = new Map<string, number>();
const page = readFileSync(join(root, 'docs/limits.md'), 'utf8');
for (const line of page.split('\n')) {
  const cells = line.split('|').map((cell) => cell.trim());
  const [, file = '', name = ''] = /^`([\w/.-]+\.ts)` `([\w.]+)`$/.exec(cells[5] ?? '') ?? [];
  if (name !== '') documented.set(`${file} ${name}`, documentedNumber(cells[2] ?? '', name));
}

test('the page has every limit with its value, and no other', () => {
  expect(limits.size).toBeGreaterThan(100);
  expect(Object.fromEntries([...documented].toSorted())).toEqual(
    Object.fromEntries([...limits].toSorted()),
  );
});

test('rows of differences that the page names exist', async () => {
  const { differences } = await import('../../engine/src/model/differences.ts');
  const ids = new Set<string>(differences.map(({ id }) => id));
  const named = [...page.matchAll(/\[`([a-z-]+)`\]/g)].map(([, id = '']) => id);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((id) => !ids.has(id))).toEqual([]);
});
