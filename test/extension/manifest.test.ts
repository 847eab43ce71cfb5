/** The manifest matches the code. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newestRelease, oldestRelease, releaseName } from '../../engine/src/model/release.ts';
import { testFileSuffix as suffixOfEngine } from '../../engine/src/simulate/tests/test-rows.ts';
import { commandNames } from '../../extension/src/command-names.ts';
import { testFileGlob, testFileSuffix } from '../../extension/src/recognize-document.ts';
import { defaultOptions, readOptions } from '../../language-server/src/editor-options.ts';
import { commandNames as lensCommands } from '../../language-server/src/protocol.ts';

const root = join(import.meta.dirname, '../../extension');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const { contributes } = manifest;
const sources = [root, join(root, '../language-server')]
  .flatMap((folder) =>
    readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, 'src', name), 'utf8')),
  )
  .join('\n');

describe('commands', () => {
  const listed: readonly { command: string; title: string; category: string }[] =
    contributes.commands;
  test('the manifest lists the commands of the code', () => {
    expect(listed.map(({ command }) => command).sort()).toEqual([...commandNames].sort());
  });
  test('include the commands of lenses', () => {
    for (const name of Object.values(lensCommands)) expect(commandNames).toContain(name);
  });
  test.each(listed)('$command has a title and a category', ({ title, category }) => {
    expect(title).toMatch(/^[A-Z][A-Za-z]+( [A-Za-z\d()]+)*…?(?: \(Doctor\)…)?$/);
    expect(category).toBe('AuthGraph');
  });
  test('menus, keys, views and the walkthrough name existing commands', () => {
    const text = JSON.stringify([contributes.menus, contributes.keybindings]);
    const named = [...text.matchAll(/"command":"([^"]+)"/g)].map(([, name]) => name);
    const linked = [
      ...JSON.stringify([contributes.walkthroughs, contributes.viewsWelcome]).matchAll(
        /(?:command:|onCommand:)([\w.]+)/g,
      ),
    ].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(10);
    expect(linked.length).toBeGreaterThan(5);
    for (const name of [...named, ...linked]) expect(commandNames).toContain(name);
  });
  test('key bindings are active only with relevant files', () => {
    for (const { when } of contributes.keybindings) expect(when).toContain('authgraph.active');
  });
});

describe('settings', () => {
  const settings: Readonly<Record<string, Setting>> = contributes.configuration.properties;
  interface Setting {
    readonly type: string;
    readonly default: unknown;
    readonly scope: string;
    readonly markdownDescription: string;
    readonly enum?: readonly string[];
  }
  const rows = Object.entries(settings).map(([name, setting]) => ({ name, ...setting }));

  test.each(rows)('$name has a description and a scope', ({ markdownDescription, scope }) => {
    expect(markdownDescription.length).toBeGreaterThan(15);
    // The settings apply to all folders; the scope `resource` would promise one set per folder.
    expect(['window', 'application']).toContain(scope);
  });
  test.each(rows.filter(({ name }) => name !== 'authgraph.trace.server'))(
    '$name is used by the code',
    ({ name }) => {
      const path = name.split('.').slice(1);
      const spellings = [`'${path.join('.')}'`, path.map((part) => `'${part}'`).join(', ')];
      expect(spellings.some((text) => sources.includes(text))).toBe(true);
    },
  );
  test('defaults match the language server', () => {
    const values: Record<string, unknown> = {};
    for (const { name, ...setting } of rows) {
      const path = name.split('.').slice(1);
      const last = path.pop() ?? '';
      let at = values;
      for (const part of path) {
        const next = (at[part] ?? {}) as Record<string, unknown>;
        at[part] = next;
        at = next;
      }
      at[last] = setting.default;
    }
    expect(readOptions(values)).toEqual(defaultOptions);
  });
  test('lists the versions that the engine supports', () => {
    const known = [];
    for (let release = oldestRelease; release <= newestRelease; release += 1) {
      known.push(releaseName(release));
    }
    expect(settings['authgraph.targetVersion']?.enum).toEqual(['newest', ...known]);
  });
  test('workspace settings cannot allow network access', () => {
    expect(settings['authgraph.network.allowDiscovery']).toMatchObject({
      scope: 'application',
      default: false,
    });
  });
  test('no setting names a program', () => {
    for (const { name } of rows) expect(name).not.toMatch(/path|program|command|exec|binary/i);
  });
});

test('declares limited support for untrusted and virtual workspaces', () => {
  expect(manifest.capabilities.untrustedWorkspaces.supported).toBe('limited');
  expect(manifest.capabilities.virtualWorkspaces.supported).toBe('limited');
  for (const { description } of Object.values<{ description: string }>(manifest.capabilities)) {
    expect(description).toContain('issuer');
  }
});

test('commands that read Git are disabled in virtual workspaces', () => {
  const commands: { command: string; enablement?: string }[] = contributes.commands;
  const disabled = commands.filter(({ enablement }) => enablement === '!virtualWorkspace');
  expect(disabled.map(({ command }) => command)).toEqual(
    expect.arrayContaining(['authgraph.compareWithHead', 'authgraph.compareWithBranch']),
  );
});

test('activates only for files, views and commands', () => {
  expect(manifest.activationEvents).toEqual([
    'onLanguage:yaml',
    'onLanguage:json',
    'onLanguage:jsonc',
    `workspaceContains:${testFileGlob}`,
  ]);
  expect(testFileSuffix).toBe(suffixOfEngine);
});
