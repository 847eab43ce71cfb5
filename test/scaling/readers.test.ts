/**
 * Checks that the processor time of every exported function that reads untrusted input grows
 * linearly. The functions are found in the source: one whose first parameter is a string or bytes
 * is called with all hostile strings, or it is listed with the reason why it is not called.
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ExportedReader, exportedReaders } from './exported-readers.ts';
import { type Growth, growthBeyondLinear } from './growth.ts';
import { hostileStrings } from './hostile-strings.ts';
import { combinedReaders, furtherArguments, notCalled } from './reader-arguments.ts';

const root = join(import.meta.dirname, '../..');
const keyOf = ({ file, name }: ExportedReader): string =>
  `${file.replace('engine/src/', '')} ${name}`;

const readers = exportedReaders(root, ['engine/src']);
const isCalled = (reader: ExportedReader): boolean =>
  !notCalled.has(keyOf(reader)) && (reader.required === 1 || furtherArguments.has(keyOf(reader)));
const called = readers.filter(isCalled);

describe('the list of readers', () => {
  test('calls every reader or gives a reason', () => {
    const missing = readers.filter((reader) => !isCalled(reader) && !notCalled.has(keyOf(reader)));
    expect(missing.map(keyOf)).toEqual([]);
    expect(called.length).toBeGreaterThan(200);
  });

  test('contains only existing functions', () => {
    const keys = new Set(readers.map(keyOf));
    const named = [...furtherArguments.keys(), ...notCalled.keys()];
    expect(named.filter((key) => !keys.has(key))).toEqual([]);
  });

  test('detects a quadratic reader', async () => {
    const quadratic = (text: string) => () => text.replace(/ +$/, '');
    // The string is long enough that coarse clocks and other threads do not matter.
    const growth = growthBeyondLinear((length) => quadratic(`a${' '.repeat(length)}b`), 32 * 1024);
    expect(await growth).toBeDefined();
  });
});

const encoder = new TextEncoder();

/**
 * `npm test` measures each reader with a different eighth of the strings; the long form uses all.
 */
const part = process.env.AUTHGRAPH_SCALING === 'long' ? 1 : 8;

const textsOf = (key: string): typeof hostileStrings =>
  hostileStrings.filter((_, index) => (index + key.length) % part === 0);

/**
 * Measures the reader with hostile strings; returns those for which its time grows more than
 * linearly.
 */
const slowShapes = async (
  key: string,
  read: (text: string) => () => unknown,
): Promise<readonly (Growth & { readonly shape: string })[]> => {
  const slow: (Growth & { readonly shape: string })[] = [];
  for (const { name: shape, of } of textsOf(key)) {
    const growth = await growthBeyondLinear((length) => read(of(length)));
    if (growth !== undefined) slow.push({ shape, ...growth });
  }
  return slow;
};

/** Ignores errors, which other tests cover. */
const ignoreFailure = (read: () => unknown): unknown => {
  try {
    const result = read();
    return result instanceof Promise ? result.catch(() => {}) : undefined;
  } catch {
    // The string is malformed.
    return undefined;
  }
};

describe('takes linear time', () => {
  test.each(called.map((reader) => [keyOf(reader), reader] as const))(
    '%s',
    async (key, { file, name, inputType }) => {
      const exported: unknown = (await import(join(root, file)))[name];
      if (typeof exported !== 'function') throw new Error(`${key} is not a function`);
      const further = furtherArguments.get(key) ?? [];
      const slow = await slowShapes(key, (text) => {
        const input = inputType === 'bytes' ? Buffer.from(encoder.encode(text)) : text;
        const rest = typeof further === 'function' ? further(text) : further;
        return () => ignoreFailure(() => exported(input, ...rest));
      });
      expect(slow).toEqual([]);
    },
    300_000,
  );

  test.each([...combinedReaders])(
    '%s',
    async (name, read) => {
      const slow = await slowShapes(name, (text) => () => ignoreFailure(() => read(text)));
      expect(slow).toEqual([]);
    },
    300_000,
  );
});
