/** The place at the cursor `<|>` of a configuration, complete or not. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { placeAt } from '../../../engine/src/config/place-at.ts';
import { decodedPosition } from '../../../engine/src/documents/yaml/loose-scalar.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { compileText } from '../../support/compile-text.ts';
import { describePlace } from '../../support/describe-place.ts';

interface Case {
  readonly id: string;
  readonly text: string;
  readonly expected: string;
}

const cases: readonly Case[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'place-at.json'), 'utf8'),
);

test.each(cases)('$id', ({ text, expected }) => {
  expect(describePlace(text)).toBe(expected);
});

const samples = join(import.meta.dirname, '../../../samples/jwt');
const files = readdirSync(samples)
  .filter((name) => /^[^.]+\.(?:yaml|json)$/.test(name))
  .map((name) => [name, readFileSync(join(samples, name), 'utf8')] as const);

describe.each(files)('in %s', (name, text) => {
  test('every expression is decoded as by the loader', () => {
    const source = sourceFile(name, text);
    for (const [path, { compilation, map }] of compileText(text).expressions) {
      const [piece] = map.pieces;
      const place = placeAt(source, (piece?.file ?? 0) + 1);
      if (place?.kind !== 'value') throw new Error(`no value at ${path}`);
      expect(place.path).toBe(path);
      expect(place.scalar.text).toBe(compilation.checked.parsed.text);
      expect(place.scalar.map).toEqual(map);
    }
  });

  test('every offset has a valid place, also in a text that ends there', () => {
    const source = sourceFile(name, text);
    for (let offset = 0; offset <= text.length; offset += 1) {
      for (const some of [source, sourceFile(name, text.slice(0, offset))]) {
        const place = placeAt(some, offset);
        if (place?.kind === 'value') {
          const decoded = decodedPosition(place.scalar, offset);
          expect(decoded.offset).toBeLessThanOrEqual(decoded.text.length);
        }
      }
    }
  });
});
