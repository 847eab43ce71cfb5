/** Completions whose value was typed to its end before they arrived. */
import { expect, test } from 'vitest';
import { withoutLateCompletions } from '../../extension/src/late-completions.ts';

/** Returns how many of the items remain if the line changed as given while the server answered. */
const remaining = async (
  before: string,
  after: string,
  answer: 'list' | 'array' = 'list',
): Promise<number | undefined> => {
  const document = {
    version: 1,
    lineCount: 1,
    text: before,
    lineAt: () => ({ text: document.text }),
  };
  const range = { start: { line: 0, character: 6 }, end: { line: 0, character: before.length } };
  const items = [
    { label: 'one', range, insertText: 'AuthenticationConfiguration' },
    { label: 'other', range: { inserting: range, replacing: range }, insertText: 'Config' },
    { label: 'without a range' },
  ];
  const next = async () => {
    if (after !== before) {
      document.version += 1;
      document.text = after;
    }
    return answer === 'list' ? { isIncomplete: true, items } : items;
  };
  const result: unknown = await Reflect.apply(withoutLateCompletions, undefined, [
    document,
    {},
    {},
    {},
    next,
  ]);
  if (Array.isArray(result)) return result.length;
  return result === undefined ? undefined : items.length;
};

test.each([
  ['kind: A', 'kind: AuthenticationConfiguration', undefined],
  ['kind: ', 'kind: Config ', undefined],
  ['kind: A', 'kind: Authen', 3],
  ['kind: Config', 'kind: Config', 3],
  ['kind: A', '', 3],
] as const)('typed %j, then %j', async (before, after, expected) => {
  expect(await remaining(before, after)).toBe(expected);
  expect(await remaining(before, after, 'array')).toBe(expected);
});
