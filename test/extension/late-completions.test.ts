/** Completions whose value was typed to its end before they arrived. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withoutLateCompletions } from '../../extension/src/late-completions.ts';
import { editor } from './fake-vscode.ts';

vi.mock('vscode', () => import('./fake-vscode.ts'));

beforeEach(() => {
  editor.reset();
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Returns how many of the items remain if the line changed as given while the server answered.
 * Afterwards the line changes to `later`.
 */
const remaining = async (
  before: string,
  after: string,
  answer: 'list' | 'array' = 'list',
  later = after,
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
  const type = (text: string): void => {
    if (text !== document.text) document.version += 1;
    document.text = text;
  };
  const next = async () => {
    type(after);
    return answer === 'list' ? { isIncomplete: true, items } : items;
  };
  const result: unknown = await Reflect.apply(withoutLateCompletions, undefined, [
    document,
    {},
    {},
    {},
    next,
  ]);
  vi.advanceTimersByTime(100);
  type(later);
  vi.advanceTimersByTime(1000);
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

test.each([
  ['kind: A', 'kind: AuthenticationConfiguration', true],
  ['kind: A', 'kind: Authen', false],
  ['kind: Config', 'kind: Config', false],
] as const)(
  'hides a list that is shown late: asked for %j, then typed %j',
  async (before, later, hides) => {
    expect(await remaining(before, before, 'list', later)).toBe(3);
    const hidden = editor.ran.filter(([command]) => command === 'hideSuggestWidget');
    expect(hidden.length > 0).toBe(hides);
  },
);
