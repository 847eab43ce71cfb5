/** Every export is used elsewhere: an export without a caller is an untested promise. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const filesOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    // Generated code exports every message.
    .filter((path) => path.endsWith('.ts') && !path.endsWith('_pb.ts'));

/** Returns the source of a file without its comments; `config/*.yaml` in a string begins none. */
const codeOf = (path: string): string =>
  readFileSync(join(root, path), 'utf8').replace(/(?<!\S)\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z_$][\w$]*/g));

/** The entry point for the editor, whose re-exports are no uses; others are for other programs. */
const editorDoor = 'engine/src/doors/language.ts';

const sources = ['engine/src', 'language-server/src', 'extension/src', 'extension/packing'].flatMap(
  filesOf,
);
const code = new Map(sources.map((path) => [path, codeOf(path)]));
const readers = new Map(
  [...code].filter(([path]) => path !== editorDoor).map(([path, text]) => [path, wordsOf(text)]),
);

const isUsed = (name: string, except: string): boolean =>
  [...readers].some(([path, words]) => path !== except && words.has(name));

const countIn = (body: string, name: string): number =>
  body.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;

/** Exports that only tests use. */
const forTests = new Set(['engine/src/cel/syntax/grammar.ts validateGrammar']);

const exportsOf = (body: string): readonly string[] =>
  Array.from(
    body.matchAll(/^export (?:async )?(?:const|function\*?|class) (\w+)/gm),
    ([, name = '']) => name,
  );

test('every exported value is used by the product', () => {
  const unused = [...code].flatMap(([path, body]) =>
    exportsOf(body)
      .filter((name) => countIn(body, name) === 1 && !isUsed(name, path))
      .map((name) => `${path} ${name}`),
  );
  expect(unused.toSorted()).toEqual([...forTests].toSorted());
});

test('every exported value is used outside of its file', () => {
  const tests = ['test', 'bench', '.ci'].flatMap(filesOf).map((path) => wordsOf(codeOf(path)));
  // Rules and findings are gathered file by file.
  const gathered = new Set(
    [...code.values()].flatMap((body) =>
      Array.from(body.matchAll(/import \* as \w+ from '.*?([\w-]+\.ts)'/g), ([, file]) => file),
    ),
  );
  const own = [...code]
    .filter(([path]) => !gathered.has(basename(path)))
    .flatMap(([path, body]) =>
      exportsOf(body)
        .filter((name) => !isUsed(name, path) && !tests.some((words) => words.has(name)))
        .map((name) => `${path} ${name}`),
    );
  expect(own).toEqual([]);
});

/** Exports for editors other than ours. */
const forOtherEditors = ['explainLog', 'findInCatalog', 'whoamiClaims', 'whoamiToken'];

test('the editor uses every export of its entry point', () => {
  const editor = [...readers].filter(([path]) => !path.startsWith('engine/'));
  const values = [...(code.get(editorDoor) ?? '').matchAll(/^export \{([^}]*)\}/gm)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
  expect(values.length).toBeGreaterThan(50);
  const unused = values.filter((name) => !editor.some(([, words]) => words.has(name)));
  expect(unused.toSorted()).toEqual(forOtherEditors);
});
