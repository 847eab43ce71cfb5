/** What lies below a folder of the workspace, and how it is called there. */
import { expect, test } from 'vitest';
import { barePath, foldersAt } from '../../language-server/src/folders.ts';
import { canonicalUri } from '../../language-server/src/input-files.ts';

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
])('in %s %s is %s', (folder, uri, path) => {
  expect(foldersAt([folder]).pathOf(uri)).toBe(path);
});

test('of several folders the first that has it counts, and no more than sixty-four are taken', () => {
  expect(foldersAt(['file:///a', 'file:///a/b']).pathOf('file:///a/b/c')).toBe('b/c');
  const many = Array.from({ length: 70 }, (_, at) => `file:///f${at}`);
  expect(foldersAt(many).uris).toHaveLength(64);
  expect(foldersAt(many).pathOf('file:///f69/x')).toBeUndefined();
});

test('what lies in no folder has a path all the same', () => {
  expect(barePath('file:///home/jane/a.claims.json')).toBe('home/jane/a.claims.json');
  expect(barePath('untitled:a.claims.json')).toBe('a.claims.json');
  expect(barePath('%')).toBe('%');
});

test('one file has one name, however it is escaped', () => {
  expect(canonicalUri('file:///a b/ä')).toBe(canonicalUri('file:///a%20b/%C3%A4'));
  expect(canonicalUri('file:///C:/x')).toBe(canonicalUri('file:///c%3A/x'));
});
