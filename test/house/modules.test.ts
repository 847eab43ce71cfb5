/** An authenticator module is whole: its files, its place in the registry, its page and its samples. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { moduleIds } from '../../engine/src/model/module-id.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const modules = readdirSync(join(root, 'engine/src/authenticators'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

describe.each(modules)('%s', (name) => {
  test.each(['node.ts', 'compile.ts', 'authenticate.ts', 'explain.ts', 'index.ts'])(
    'has %s',
    (file) => {
      expect(existsSync(join(root, 'engine/src/authenticators', name, file))).toBe(true);
    },
  );

  test('has an id, and a place in the registry and in the graph', () => {
    expect(moduleIds).toContain(name);
    expect(read('engine/src/authenticators/registry.ts')).toContain(`'./${name}/index.ts'`);
    expect(read('engine/src/compile/graph.ts')).toContain(`/${name}/node.ts'`);
  });

  test('has a page that tells all of it', () => {
    expect(existsSync(join(root, 'docs/modules', `${name}.md`)), `docs/modules/${name}.md`).toBe(
      true,
    );
    const page = read(`docs/modules/${name}.md`);
    expect(page.split('\n')[0]).toBe(`# The ${name} module`);
    for (const part of ['The order of its checks', 'Settings', 'How to look at it']) {
      expect(page).toContain(`\n## ${part}\n`);
    }
  });

  test('has a sample', () => {
    expect(existsSync(join(root, 'samples', name)), `samples/${name}/`).toBe(true);
    const files = readdirSync(join(root, 'samples', name));
    expect(files.filter((file) => file.endsWith('.yaml'))).not.toEqual([]);
  });
});
