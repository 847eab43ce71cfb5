/** Each authenticator module has its files, flags, registry entry, page and samples. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { moduleIds } from '../../engine/src/model/module-id.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const modules = readdirSync(join(root, 'engine/src/authenticators'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const pages = readdirSync(join(root, 'docs/modules'))
  .map((file) => read(`docs/modules/${file}`))
  .join('\n');

describe.each(modules)('%s', (name) => {
  test.each(['node.ts', 'compile.ts', 'authenticate.ts', 'explain.ts'])('has %s', (file) => {
    expect(existsSync(join(root, 'engine/src/authenticators', name, file))).toBe(true);
  });

  test('has an id, and a place in the registry and in the graph', () => {
    expect(moduleIds).toContain(name);
    expect(read('engine/src/authenticators/registry.ts')).toContain(`'./${name}/authenticate.ts'`);
    expect(read('engine/src/compile/graph.ts')).toContain(`/${name}/node.ts'`);
  });

  test('has the functions of a module', () => {
    const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
    const id = words.join('');
    for (const verb of ['compile', 'explain'])
      expect(read(`engine/src/authenticators/${name}/${verb}.ts`)).toContain(`${verb}${id}`);
    expect(read(`engine/src/authenticators/${name}/authenticate.ts`)).toContain(`link${id}`);
    const explanations = ['explain.ts', 'explain-flag-modules.ts'].map((name) =>
      read(`engine/src/compile/${name}`),
    );
    expect(explanations.join('')).toContain(`explain${id}`);
    expect(read('engine/src/authenticators/registry.ts')).toContain(`link${id}`);
  });

  test('has its flags in the table of the server and on a page', () => {
    if (!existsSync(join(root, 'engine/src/authenticators', name, 'config.ts'))) return;
    const config = read(`engine/src/authenticators/${name}/config.ts`);
    const flags = [...config.matchAll(/^\s+name: '([\w-]+)',$/gm)].map(([, flag = '']) => flag);
    expect(flags).not.toEqual([]);
    expect(read('engine/src/server/modules/settings.ts')).toContain(`/${name}/config.ts'`);
    expect(flags.filter((flag) => !pages.includes(`--${flag}`))).toEqual([]);
  });

  test('has a page with a command, the order of its checks and its settings', () => {
    expect(existsSync(join(root, 'docs/modules', `${name}.md`)), `docs/modules/${name}.md`).toBe(
      true,
    );
    const page = read(`docs/modules/${name}.md`);
    expect(page).toMatch(/^# .+\n\nAfter reading this page you /);
    expect(page).toMatch(/^(?:curl|authgraph) /m);
    for (const part of ['Order of checks', 'Settings']) expect(page).toContain(`\n## ${part}\n`);
  });

  test('has a sample', () => {
    expect(existsSync(join(root, 'samples', name)), `samples/${name}/`).toBe(true);
    const files = readdirSync(join(root, 'samples', name));
    expect(files.filter((file) => file.endsWith('.yaml'))).not.toEqual([]);
  });
});

test('every id is a module', () => {
  expect([...moduleIds].toSorted()).toEqual(modules.toSorted());
});
