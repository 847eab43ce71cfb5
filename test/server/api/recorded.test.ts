/**
 * Several thousand requests about stored objects, one after another, compared with responses of
 * kube-apiserver 1.36.3: status, content type, warnings, and the body byte for byte except values
 * of the run (identifiers, times, revisions).
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
    .reduce((replaced, [pattern, name]) => replaced.replaceAll(pattern, name), text)
    .replaceAll(/("continue":\s*")([^"]+)/g, (_, lead, token) => lead + continueStart(token))
    .trim();

/** Reads as many lines of a watch as the recorded one had. */
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
 * The tables cover: operations on objects; formats of requests; which of several errors comes
 * first; directives of strategic merge patches; pages of lists (`@CONTINUE:ID@` is the token of
 * that row); JSON patches and malformed patches; numbers and values of other types; the order of
 * long lists; how repeated members, nulls and malformed values are decoded.
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
  ['recorded-decoding.jsonl', 110],
] as const)('every response is as recorded: %s', async (name, least) => {
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
