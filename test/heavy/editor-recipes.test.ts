/** The recipes of docs/editors as their users load them: Emacs and Neovim show what `check` prints. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CheckReport } from '../../engine/src/diagnostics/json.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'engine/dist/cli/main.js');
const { path: place } = temporaryFolder();
const folder = join(place, 'workspace');
const programs = join(place, 'bin');

/** Has errors on several lines, and characters of every width. */
const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: "https://ä𝒳.example"
    audiences: ["ü", "𝒳", "𝒳"]
  claimMappings:
    username:
      expression: '"𝒳ä" + claims.sub + missing'
    uid: {}
`;
const file = join(folder, 'auth.yaml');

/** A diagnostic with the text that it marks. */
interface Shown {
  readonly code: string;
  readonly text: string;
}

const inOrder = (rows: readonly Shown[]): readonly string[] =>
  rows.map(({ code, text }) => `${code} ${text}`).sort();

const run = (program: string, args: readonly string[]): Answer => {
  const answer = join(place, `${program}.json`);
  const { error, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    cwd: folder,
    timeout: 110_000,
    env: {
      ...process.env,
      PATH: `${programs}:${process.env.PATH}`,
      HOME: place,
      XDG_STATE_HOME: place,
      AUTHGRAPH_ANSWER: answer,
    },
  });
  if (error !== undefined) throw error;
  try {
    return JSON.parse(readFileSync(answer, 'utf8'));
  } catch (cause) {
    throw new Error(stderr.slice(-2000), { cause });
  }
};

interface Answer {
  readonly shown: readonly Shown[];
  /** Whether the server already starts for a file without features. */
  readonly startsForOther: boolean;
}

let printed: readonly string[] = [];

beforeAll(() => {
  for (const path of [folder, programs]) mkdirSync(path);
  writeFileSync(file, configuration);
  writeFileSync(join(folder, 'deployment.yaml'), 'kind: Deployment\n');
  // The program in the search path, as after an installation.
  const program = join(programs, 'authgraph');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(program, 0o755);
  const check = spawnSync(program, ['check', '--output', 'json', file], { encoding: 'utf8' });
  const report: CheckReport = JSON.parse(check.stdout);
  const lines = configuration.split('\n');
  printed = inOrder(
    report.files.flatMap(({ diagnostics }) =>
      diagnostics.map(({ code, range: { start, end } }) => ({
        code,
        text: (lines[start.line - 1] ?? '').slice(start.column - 1, end.column - 1),
      })),
    ),
  );
});

const recipe = (name: string): string => join(root, 'docs/editors', name);
const driver = (name: string): string => join(import.meta.dirname, 'editor-recipes', name);

describe.each([
  [
    'emacs',
    [
      '--batch',
      '--eval',
      '(package-initialize)',
      '-l',
      recipe('emacs.el'),
      '-l',
      driver('open.el'),
    ],
  ],
  [
    'nvim',
    [
      '--headless',
      '--clean',
      '-n',
      '-c',
      `luafile ${recipe('neovim.lua')}`,
      '-S',
      driver('open.lua'),
    ],
  ],
])('%s', (program, args) => {
  test('shows what check prints, and starts the server for files with features', () => {
    const { shown, startsForOther } = run(program, args);
    expect(printed.length).toBeGreaterThan(2);
    expect(inOrder(shown)).toEqual(printed);
    expect(startsForOther).toBe(false);
  });
});
