/** Samples and roles of a workspace: files on disk, replaced by open documents. */
import { expect, test } from 'vitest';
import { defaultOptions } from '../../language-server/src/editor-options.ts';
import { foldersAt } from '../../language-server/src/folders.ts';
import { createFileKinds, createInputFiles } from '../../language-server/src/input-files.ts';
import { limits } from '../../language-server/src/limits.ts';

const textsOf = (
  disk: Readonly<Record<string, string | undefined>>,
  open: Readonly<Record<string, string>> = {},
  search = { isTruncated: false, isSearchPending: false },
) => {
  const kinds = createFileKinds({
    folders: foldersAt(['file:///ws']),
    options: { ...defaultOptions, configurationFiles: ['conf/*.yaml'] },
  });
  const all = new Map(Object.entries(disk).map(([uri, text]) => [uri, { uri, text }]));
  const documents = Object.entries(open).map(([uri, text]) => ({ uri, getText: () => text }));
  return {
    ...kinds,
    ...createInputFiles({ kinds, cache: { all, ...search }, documents: { all: () => documents } }),
  };
};

test('names roles by their paths, and prefers open documents', () => {
  const texts = textsOf(
    {
      'file:///ws/b/rbac.yaml': 'on disk',
      'file:///ws/a-role.yml': 'a',
      'file:///ws/jane.claims.yaml': 'sub: jane',
      'file:///ws/unreadable-role.yaml': undefined,
    },
    { 'file:///ws/b/rbac.yaml': 'in the editor', 'file:///ws/new-role.yaml': 'new' },
  );
  expect(texts.roles()).toEqual({
    files: [
      { uri: 'file:///ws/a-role.yml', name: 'a-role.yml', text: 'a' },
      { uri: 'file:///ws/b/rbac.yaml', name: 'b/rbac.yaml', text: 'in the editor' },
      { uri: 'file:///ws/new-role.yaml', name: 'new-role.yaml', text: 'new' },
    ],
    isComplete: false,
  });
});

test.each([
  [{ isTruncated: false, isSearchPending: false }, true],
  [{ isTruncated: true, isSearchPending: false }, false],
  [{ isTruncated: false, isSearchPending: true }, false],
])('roles after the search %j', (search, isComplete) => {
  const texts = textsOf({ 'file:///ws/role.yaml': 'a' }, {}, search);
  expect(texts.roles().isComplete).toBe(isComplete);
});

test('leaves out roles beyond the limits', () => {
  const long = textsOf({ 'file:///ws/role.yaml': 'x'.repeat(limits.roleLength + 1) });
  expect(long.roles()).toEqual({ files: [], isComplete: false });
  const many = textsOf(
    Object.fromEntries(
      Array.from({ length: limits.roleFiles + 5 }, (_, at) => [`file:///ws/role-${at}.yaml`, 'x']),
    ),
  );
  expect(many.roles().files).toHaveLength(limits.roleFiles);
  expect(many.roles().isComplete).toBe(false);
});

test('treats two spellings of a URI as one sample', () => {
  const texts = textsOf(
    { 'file:///ws/a%20b.claims.yaml': 'sub: disk' },
    { 'file:///ws/a b.claims.yaml': 'sub: editor' },
  );
  expect(texts.samples()).toEqual([
    {
      uri: 'file:///ws/a%20b.claims.yaml',
      path: 'a b.claims.yaml',
      folder: { uri: 'file:///ws', label: 'ws' },
      text: 'sub: editor',
    },
  ]);
});

test('recognizes configurations by the settings', () => {
  const texts = textsOf({});
  expect(texts.isConfiguration('file:///ws/conf/a.yaml')).toBe(true);
  expect(texts.isConfiguration('file:///ws/a.yaml')).toBe(false);
  expect(texts.isSample('file:///ws/conf/a.yaml')).toBe(false);
});
