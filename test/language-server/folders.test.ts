/** Workspace folders and relative paths. */
import { expect, test } from 'vitest';
import { barePath, canonicalUri, filesIn, foldersAt } from '../../language-server/src/folders.ts';

test.each([
  ['file:///ws', 'file:///ws/a/b.yaml', 'a/b.yaml'],
  ['file:///ws/', 'file:///ws/a%20b.yaml', 'a b.yaml'],
  ['file:///a%20folder', 'file:///a folder/x', 'x'],
  ['file:///c%3A/ws', 'file:///C:/ws/x.yaml', 'x.yaml'],
  ['file:///', 'file:///x', 'x'],
  ['vscode-vfs://github/o/r', 'vscode-vfs://github/o/r/x', 'x'],
  ['file:///ws', 'file:///ws', undefined],
  ['file:///ws', 'file:///ws-too/a', undefined],
  ['file:///ws', 'file:///other/ws/a', undefined],
  ['file:///ws', 'vscode-vfs://github/ws/a', undefined],
  ['vscode-vfs://github/o', 'vscode-vfs://gitlab/o/x', undefined],
  ['file:///ws', 'untitled:a', undefined],
  ['file:///ws', '%', undefined],
  ['%', 'file:///ws/a', undefined],
])('in folder %s the path of %s is %s', (folder, uri, path) => {
  expect(foldersAt([folder]).pathOf(uri)).toBe(path);
});

test('uses the first folder that contains a file, and at most 64 folders', () => {
  expect(foldersAt(['file:///a', 'file:///a/b']).pathOf('file:///a/b/c')).toBe('b/c');
  const many = Array.from({ length: 70 }, (_, at) => `file:///f${at}`);
  expect(foldersAt(many).uris).toHaveLength(64);
  expect(foldersAt(many).pathOf('file:///f69/x')).toBeUndefined();
});

test.each([
  [['file:///a', 'file:///b'], 'file:///b/x', { uri: 'file:///b', label: 'b' }],
  [
    ['file:///x/app', 'file:///y/app/'],
    'file:///y/app/x',
    { uri: 'file:///y/app/', label: 'y/app' },
  ],
  [['file:///a%20b'], 'file:///a b/x', { uri: 'file:///a%20b', label: 'a b' }],
  [['file:///app', 'file:///y/app'], 'file:///app/x', { uri: 'file:///app', label: 'app' }],
  [['file:///a', 'file:///a'], 'file:///a/x', { uri: 'file:///a', label: 'a' }],
  [['file:///'], 'file:///x', { uri: 'file:///', label: '' }],
  [['file:///a'], 'file:///b/x', undefined],
])('in folders %j the folder of %s is %o', (folders, uri, folder) => {
  expect(foldersAt(folders).folderOf(uri)).toEqual(folder);
});

test('returns a path for files outside of all folders', () => {
  expect(barePath('file:///home/jane/a.claims.json')).toBe('home/jane/a.claims.json');
  expect(barePath('untitled:a.claims.json')).toBe('a.claims.json');
  expect(barePath('%')).toBe('%');
});

test('normalizes differently escaped URIs', () => {
  expect(canonicalUri('file:///a b/ä')).toBe(canonicalUri('file:///a%20b/%C3%A4'));
  expect(canonicalUri('file:///C:/x')).toBe(canonicalUri('file:///c%3A/x'));
});

test('finds the files in folders, at any depth', () => {
  const files = [
    'file:///w/a/b/x',
    'file:///w/a/y',
    'file:///w/a-b/z',
    'file:///w/c',
    'file:///w/a',
  ];
  expect(filesIn(['file:///w/a/b', 'file:///w/a', 'file:///w/c'], files)).toEqual([
    'file:///w/a/b/x',
    'file:///w/a/y',
  ]);
  expect(filesIn([], files)).toEqual([]);
  expect(filesIn(['file:///w/A', 'file:///'], files)).toEqual([]);
});
