/** docs/invariants.md lists the invariants; each has a test of its name in the files that it names. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const docs = join(root, 'docs');

/** The number of invariants of each kind. */
const counts = { H: 8, P: 3, M: 4, T: 11, C: 4, X: 5, I: 4, K: 5, R: 5, S: 4, F: 4, E: 4, B: 4 };
const wanted = Object.entries(counts).flatMap(([kind, count]) =>
  Array.from({ length: count }, (_, index) => `INV-${kind}${index + 1}`),
);

const rows = [
  ...readFileSync(join(docs, 'invariants.md'), 'utf8').matchAll(
    /^\| (INV-\w+) \| (.+?) \| (.+) \|$/gm,
  ),
].map(([, id = '', says = '', tests = '']) => ({
  id,
  says,
  files: [...tests.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => join(docs, path)),
}));

/** Returns the invariants that string literals name; comments do not count. */
const namedIn = (file: string): ReadonlySet<string> => {
  const code = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line))
    .join('\n');
  return new Set(
    [
      ...code.matchAll(/(?:test|describe)(?:\.each)?[^'"`]*['"`]([^'"`]*)/g),
      ...titlesOfEach(code),
    ].flatMap(([, title = '']) => [...title.matchAll(/INV-[A-Z]\d+/g)].map(([id]) => id)),
  );
};

/** `])('the title', …)` */
const titlesOfEach = (code: string): readonly RegExpMatchArray[] => [
  ...code.matchAll(/\)\(\s*['"`]([^'"`]*)/g),
];

test('the page has all invariants, in order', () => {
  expect(rows.map(({ id }) => id)).toEqual(wanted);
});

describe.each(rows)('$id', ({ id, says, files }) => {
  test('has a description, and tests with its name', () => {
    expect(says.length).toBeGreaterThan(15);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect([relative(root, file), namedIn(file).has(id)]).toEqual([relative(root, file), true]);
    }
  });
});

test('no test names an invariant that the page lacks', () => {
  const ids = new Set(wanted);
  const folder = join(root, 'test');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const unknown = files.flatMap((name) =>
    [...namedIn(join(folder, name))].filter((id) => !ids.has(id)).map((id) => `${name}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

describe('SECURITY.md explains what happens when something fails', () => {
  const page = join(root, 'SECURITY.md');
  const section =
    readFileSync(page, 'utf8').split('## When something fails')[1]?.split('\n## ')[0] ?? '';
  const table = [...section.matchAll(/^\| (?!Situation|---)(.+?) \| (.+?) \| (.+) \|$/gm)];
  test('ten situations', () => {
    expect(table.length).toBeGreaterThanOrEqual(10);
  });
  test.each(table.map(([, situation = '', , tests = '']) => [situation, tests] as const))(
    '%s',
    (_situation, tests) => {
      const links = [...tests.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
      expect(links.length).toBeGreaterThan(0);
      for (const [, title = '', path = ''] of links) {
        const text = readFileSync(join(dirname(page), path), 'utf8');
        expect([title, text.includes(title)]).toEqual([title, true]);
      }
    },
  );
});
