/** The catalog has every code that the source uses, and no other. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalog, findInCatalog } from '../../engine/src/catalog.ts';

const root = join(import.meta.dirname, '../../engine/src');
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.ts'),
);
const spoken = new Map<string, string>();
for (const path of sources)
  for (const [, code] of readFileSync(join(root, path), 'utf8').matchAll(/'(AG\d{4})'/g))
    if (code !== undefined) spoken.set(code, path);

test('every code in the source is in the catalog', () => {
  const known = new Set(catalog.map(({ code }) => code));
  expect(spoken.size).toBeGreaterThan(60);
  expect([...spoken].filter(([code]) => !known.has(code))).toEqual([]);
});

test('every code in the catalog is in the source', () => {
  expect(catalog.map(({ code }) => code).filter((code) => !spoken.has(code))).toEqual([]);
});

test('codes and names are unique, well formed, and in order', () => {
  const codes = catalog.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(new Set(catalog.map(({ name }) => name)).size).toBe(codes.length);
  expect(codes).toEqual(codes.toSorted());
  for (const { code, name, summary, source, severity } of catalog) {
    expect(code).toMatch(/^AG[1-5]\d{3}$/);
    expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
    expect(summary, code).toMatch(/^[A-Z_-].*[.)]$/);
    if (source === 'server') expect(severity, code).toBe('error');
  }
});

test('a rule is found by its code in either case and by its name', () => {
  for (const rule of catalog) {
    expect(findInCatalog(rule.code.toLowerCase())).toBe(rule);
    expect(findInCatalog(rule.name)).toBe(rule);
  }
  expect(findInCatalog('')).toBeUndefined();
});
