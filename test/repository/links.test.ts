/** Each link to a file or heading of the repository resolves, and so does each path in backticks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const under = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .map((path) => join(root, folder, path));
const pages = [
  ...readdirSync(root)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(root, name)),
  ...under('docs'),
  ...under('samples'),
  ...under('deploy'),
];

/** `## The order` -> `the-order`, as the repository's browser makes it. */
const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

describe.each(pages.map((path) => [relative(root, path), path] as const))('%s', (_, path) => {
  const text = readFileSync(path, 'utf8');

  test('its links', () => {
    const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const [file = '', anchor] = link.split('#');
        const target = file === '' ? path : join(dirname(path), file);
        if (!existsSync(target)) return true;
        return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  test('its paths', () => {
    const paths = [...text.matchAll(/`((?:engine|test|docs|samples|bench|\.ci)\/[\w./-]+)`/g)].map(
      ([, named = '']) => named,
    );
    expect(paths.filter((named) => !existsSync(join(root, named)))).toEqual([]);
  });
});
