/**
 * Some thousand requests about stored objects, one after the other, beside the answers of the
 * real server 1.36.3: status, content type, warnings, and the body byte for byte but for names of the
 * run (identifiers, times, revisions).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { continueStart } from '../../support/continue-start.ts';
import { type Asked, objectApi } from '../../support/object-api.ts';

interface Recorded {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly status: number;
  readonly contentType: string;
  readonly warnings?: readonly string[];
  readonly text: string;
}

const recorded = (name: string): readonly Recorded[] =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Recorded => JSON.parse(line));

const names: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME'],
  [/(resourceVersion\\*"?:\s*\\*")\d+/g, '$1N'],
  [/("remainingItemCount":\s*)\d+/g, '$10'],
  [/(Gen-|A-|"\/)[a-z0-9]{5}(?=\\?")/g, '$1SUFFIX'],
  [/"\d+s"/g, '"AGE"'],
  [/^( *- )\d+s$/gm, '$1AGE'],
  [/version: \d+, current: \d+/g, 'version: N, current: N'],
  [/in record \(\d+\)/g, 'in record (N)'],
];

const normal = (text: string): string =>
  names
    .reduce((told, [pattern, name]) => told.replaceAll(pattern, name), text)
    .replaceAll(/("continue":\s*")([^"]+)/g, (_, lead, token) => lead + continueStart(token))
    .trim();

/** As many lines of a watch as the recorded one had. */
const textOf = async ({ answer }: Asked, recorded: string): Promise<string> => {
  const { body, stream } = answer;
  if (stream === undefined) return typeof body === 'string' ? body : new TextDecoder().decode(body);
  const ended = new AbortController();
  const lines = recorded.split('\n').filter((line) => line !== '').length;
  let text = '';
  for await (const piece of stream(ended.signal)) {
    text += piece;
    if (text.split('\n').length - 1 >= lines) break;
  }
  ended.abort();
  return text;
};

/**
 * The first table goes through what is done to objects, the second through forms of requests, the third
 * through what is refused first where several things are wrong, the fourth through directives of
 * strategic merge patches, the fifth through pages of lists: `@CONTINUE:ID@` is what that row gave.
 * The sixth goes through what JSON patches say and what is no patch, the seventh through numbers and
 * values of other types, the eighth through the order of long lists.
 */
test.each([
  ['recorded.jsonl', 300],
  ['recorded-forms.jsonl', 190],
  ['recorded-edges.jsonl', 150],
  ['recorded-patches.jsonl', 200],
  ['recorded-lists.jsonl', 150],
  ['recorded-json-patches.jsonl', 400],
  ['recorded-numbers.jsonl', 400],
  ['recorded-orders.jsonl', 25],
] as const)('every answer is the recorded one: %s', async (name, least) => {
  const rows = recorded(name);
  const api = await objectApi();
  const continued = new Map<string, string>();
  for (const row of rows) {
    const path = row.path.replace(/@CONTINUE:(.*)@/, (_, id) => continued.get(id) ?? '');
    const asked = await api.ask(row.method, path, {
      headers: row.headers ?? [],
      ...(row.body === undefined ? {} : { body: row.body }),
    });
    continued.set(row.id, asked.body.metadata?.continue);
    const text = row.method === 'HEAD' ? '' : await textOf(asked, row.text);
    const got = {
      status: asked.status,
      contentType: asked.headers.get('content-type') ?? '',
      warnings: asked.warnings,
      text: normal(text),
    };
    const { status, contentType, warnings = [] } = row;
    const place = `${row.id} ${row.method} ${row.path}`;
    expect(got, place).toEqual({ status, contentType, warnings, text: normal(row.text) });
  }
  expect(rows.length).toBeGreaterThan(least);
});
