/**
 * Checks that the processor time of every exported function and method that reads untrusted input
 * grows linearly. They are found in the source (`exported-readers.ts`); each one is called with
 * hostile strings, or it is listed with the reason why it is not called (README.md).
 */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Growth, growthBeyondLinear } from './growth.ts';
import { hostileStrings } from './hostile-strings.ts';
import { methodCalls } from './method-calls.ts';
import { notCalled } from './not-called.ts';
import { combinedReaders, furtherArguments, readerArguments } from './reader-arguments.ts';
import { listReaders } from './reader-list.ts';

const root = join(import.meta.dirname, '../..');
const rows = listReaders(root);
const functions = rows.filter((row) => row.kind === 'function');
const methods = rows.filter((row) => row.kind === 'method');

describe('the list of readers', () => {
  test('calls every reader or gives a reason', () => {
    expect(rows.filter(({ kind }) => kind === 'missing').map(({ key }) => key)).toEqual([]);
    expect(functions.length).toBeGreaterThan(400);
  });

  test('contains only existing functions', () => {
    const keys = new Set(rows.map(({ key }) => key));
    const named = [notCalled, furtherArguments, readerArguments, methodCalls];
    const missing = named.flatMap((map) => [...map.keys()]).filter((key) => !keys.has(key));
    expect(missing).toEqual([]);
  });

  test('detects a quadratic reader', async () => {
    const quadratic = (text: string) => () => text.replace(/ +$/, '');
    // The string is long enough that coarse clocks and other threads do not matter.
    const growth = growthBeyondLinear((length) => quadratic(`a${' '.repeat(length)}b`), 16 * 1024);
    expect(await growth).toBeDefined();
  }, 120_000);
});

/**
 * The short form measures each reader with a different eighth of the strings; the long form uses all.
 */
const isLong = process.env.AUTHGRAPH_SCALING === 'long';
const part = isLong ? 1 : 8;
/** Milliseconds for one reader on a busy machine. */
const timeoutMs = isLong ? 3_600_000 : 300_000;

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

/** A call whose errors are ignored, because other tests cover them. */
class Call {
  readonly #run: (text: string) => () => unknown;
  /** True if the reader did more than reject an argument of a wrong type. */
  isMeaningful = false;

  /** `prepare` makes the arguments, which is not measured. */
  constructor(prepare: (text: string) => () => unknown) {
    this.#run = prepare;
  }

  readonly prepare = (text: string): (() => unknown) => {
    const run = this.#run(text);
    return () => {
      try {
        const result = run();
        if (!(result instanceof Promise)) this.isMeaningful = true;
        else return result.then(() => this.#finish(), this.#finish);
      } catch (cause) {
        this.#finish(cause);
      }
      return undefined;
    };
  };

  readonly #finish = (cause?: unknown): void => {
    if (!(cause instanceof TypeError)) this.isMeaningful = true;
  };
}

const expectLinear = async (
  key: string,
  prepare: (text: string) => () => unknown,
): Promise<void> => {
  const call = new Call(prepare);
  expect(await slowShapes(key, call.prepare)).toEqual([]);
  expect(call.isMeaningful, `${key} needs other arguments`).toBe(true);
};

describe('takes linear time', () => {
  test.each(functions.map((row) => [row.key, row] as const))(
    '%s',
    async (key, { file, name, argumentsOf }) => {
      const exported: unknown = (await import(join(root, file)))[name];
      if (typeof exported !== 'function') throw new Error(`${key} is not a function`);
      await expectLinear(key, (text) => {
        const values = argumentsOf(text);
        return () => exported(...values);
      });
    },
    timeoutMs,
  );

  test.each(methods.map((row) => [row.key, row] as const))(
    '%s',
    (key, { call }) => expectLinear(key, (text) => () => call(text)),
    timeoutMs,
  );

  test.each([...combinedReaders])(
    '%s',
    (name, read) => expectLinear(name, (text) => () => read(text)),
    timeoutMs,
  );
});
