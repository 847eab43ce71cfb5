/** Each stored kind has its row, rules, recorded answers and page; all lists have the same order. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kinds } from '../../engine/src/resources/kinds.ts';
import { allKindRules } from '../../engine/src/resources/registry.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const recorded: readonly { readonly path: string }[] = read('test/server/api/recorded.jsonl')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));

/** `ClusterRoleBinding` -> `role-binding.ts`: cluster-scoped and namespaced kinds share a file. */
const fileOf = (kind: string): string =>
  `engine/src/resources/${kind
    .replace(/^Cluster/, '')
    .replace(/(?<=[a-z])[A-Z]/g, '-$&')
    .toLowerCase()}.ts`;

test('the rules are in the order of the table', () => {
  expect(allKindRules.map(({ row }) => row)).toEqual(kinds);
});

describe.each(kinds)('$kind', ({ kind, resource }) => {
  test('has a file of its own with its rules', () => {
    expect(existsSync(join(root, fileOf(kind))), fileOf(kind)).toBe(true);
    expect(read(fileOf(kind))).toContain(`kindRow('${resource}')`);
  });

  test('has the columns of its table, and cells for them', () => {
    const rules = allKindRules.find(({ row }) => row.kind === kind);
    expect(rules?.columns.length).toBeGreaterThan(1);
    expect(rules?.cells(new Map(), '0s')).toHaveLength(rules?.columns.length ?? 0);
  });

  test('has recorded answers', () => {
    const path = new RegExp(`/${resource}(?:[/?]|$)`);
    expect(recorded.some((one) => path.test(one.path))).toBe(true);
  });

  test('is on the page of objects', () => {
    expect(read('docs/objects.md')).toMatch(new RegExp(`^\\|[^|]*\\b${kind}\\b[^|]*\\|`, 'm'));
  });
});
