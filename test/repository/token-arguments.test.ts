/**
 * Documentation, samples, help and the demo never show a command with a token among its arguments,
 * which every process of the machine can read: they show a file instead.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandHelp } from '../../engine/src/cli/help.ts';
import { commands } from '../../engine/src/cli/run.ts';
import { demoPeople } from '../../engine/src/server/demo/people.ts';
import { commandsOf } from '../../engine/src/server/demo/screen.ts';

const root = join(import.meta.dirname, '../..');
const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|ya?ml|sh|conf)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
const pages = [
  ...filesIn('docs'),
  ...filesIn('samples'),
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'extension/README.md'].map((name) =>
    join(root, name),
  ),
];

/** `--token x` but not `--token TOKEN` of a usage line; a header field as an argument of curl. */
const tokenArgument = /(?<![\w-])--token(?:=|\s+)(?!TOKEN\b)[\w"'$<]|-H\s*["']?Authorization:/;
const linesWith = (text: string): readonly string[] =>
  text.split('\n').filter((line) => tokenArgument.test(line));

test('the pattern finds them', () => {
  for (const line of [
    'authgraph whoami --token "$TOKEN"',
    'kubectl --token=abc get pods',
    `curl -H "Authorization: Bearer $(cat token)"`,
    `curl -H 'Authorization: Bearer TOKEN'`,
  ])
    expect(linesWith(line)).toHaveLength(1);
  for (const line of [
    '--token-file token',
    '--token TOKEN',
    '`--token` is visible',
    '-H @authorization',
  ])
    expect(linesWith(line)).toEqual([]);
});

test.each(pages)('%s', (path) => {
  expect(linesWith(readFileSync(path, 'utf8'))).toEqual([]);
});

test.each(commands)('help of $name', async ({ load }) => {
  expect(linesWith(commandHelp(await load()))).toEqual([]);
});

test.each(demoPeople)('the commands of the demo for $name', (person) => {
  const facts = {
    url: 'https://127.0.0.1:8443',
    apiDomain: 'k8s.io',
    configuration: 'a.yaml',
    folder: '/f',
    people: demoPeople,
  };
  const { curl, kubectl } = commandsOf(facts, person);
  expect(linesWith([...curl, kubectl].join('\n'))).toEqual([]);
});
