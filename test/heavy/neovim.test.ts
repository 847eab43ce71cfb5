/**
 * A second client: Neovim attached to `authgraph lsp --stdio` shows what `authgraph check` prints.
 * The server pushes to Neovim (which does not pull before 0.10); another client pulls from the same
 * program.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import {
  createProtocolConnection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { CheckReport } from '../../engine/src/diagnostics/json.ts';
import { cases } from '../support/cases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const program = [process.execPath, join(import.meta.dirname, '../../engine/dist/cli/main.js')];
const { path: place } = temporaryFolder();
const folder = join(place, 'workspace');

/** One of ten recorded configurations with a `kind`, and characters of every width. */
const texts = [
  ...cases<{ readonly config: string }>('conformance/config-validation.jsonl')
    .map(({ input }) => input.config)
    .filter((text) => /^kind: "?AuthenticationConfiguration"?$/m.test(text) && text.endsWith('\n'))
    .filter((_, index) => index % 10 === 0),
  'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n- issuer:\n    url: "https://ä𝒳.example"\n    audiences: ["ü", "𝒳", "𝒳"]\n  claimMappings:\n    username:\n      expression: \'"𝒳ä" + claims.sub + missing\'\n    uid: {}\n',
];
const files = texts.map((_, index) => join(folder, `auth-${index}.yaml`));

interface Shown {
  readonly start: readonly [number, number];
  readonly end: readonly [number, number];
  readonly severity: number;
  readonly code: string;
  readonly message: string;
}

const inOrder = (rows: readonly Shown[]): readonly string[] =>
  rows.map((row) => JSON.stringify(row)).sort();

const severities = ['', 'error', 'warning', 'information', 'hint'];

/** Diagnostics of each file. Lines and columns count from 0, in UTF-16 code units. */
const byCheck = (paths: readonly string[]): readonly (readonly string[])[] => {
  const [command = '', ...args] = program;
  const run = spawnSync(command, [...args, 'check', '--output', 'json', ...paths], {
    encoding: 'utf8',
  });
  const report: CheckReport = JSON.parse(run.stdout);
  return report.files.map(({ diagnostics }) =>
    inOrder(
      diagnostics.map(({ range: { start, end }, severity, code, message, help }) => ({
        start: [start.line - 1, start.column - 1],
        end: [end.line - 1, end.column - 1],
        severity: severities.indexOf(severity),
        code,
        message: help === '' ? message : `${message}\n${help}`,
      })),
    ),
  );
};

interface NeovimAnswer {
  readonly lines: readonly string[];
  readonly diagnostics: readonly {
    readonly lnum: number;
    readonly col: number;
    readonly end_lnum: number;
    readonly end_col: number;
    readonly severity: number;
    readonly message: string;
    readonly source: string;
    readonly code: string;
  }[];
}

/** Neovim counts bytes. */
const shownByNeovim = ({ lines, diagnostics }: NeovimAnswer): readonly string[] => {
  const units = (line: number, bytes: number): number =>
    Buffer.from(lines[line] ?? '')
      .subarray(0, bytes)
      .toString().length;
  return inOrder(
    diagnostics.map((found) => ({
      start: [found.lnum, units(found.lnum, found.col)],
      end: [found.end_lnum, units(found.end_lnum, found.end_col)],
      severity: found.severity,
      code: found.code,
      message: found.message,
    })),
  );
};

let answers: readonly NeovimAnswer[] = [];

beforeAll(() => {
  mkdirSync(folder);
  for (const [index, path] of files.entries()) writeFileSync(path, texts[index] ?? '');
  const answer = join(place, 'answer.json');
  const plan = join(place, 'plan.json');
  writeFileSync(
    plan,
    JSON.stringify({ command: [...program, 'lsp', '--stdio'], folder, files, answer }),
  );
  const script = join(import.meta.dirname, 'neovim/attach.lua');
  const run = spawnSync('nvim', ['--headless', '--clean', '-n', '-S', script], {
    encoding: 'utf8',
    timeout: 110_000,
    env: { ...process.env, AUTHGRAPH_PLAN: plan, HOME: place, XDG_STATE_HOME: place },
  });
  const problem = `${answer}.problem`;
  if (existsSync(problem)) throw new Error(readFileSync(problem, 'utf8'));
  if (run.error !== undefined) throw run.error;
  answers = JSON.parse(readFileSync(answer, 'utf8'));
});

test('Neovim has seen every file', () => {
  expect(texts.length).toBeGreaterThan(25);
  expect(answers).toHaveLength(files.length + 1);
  expect(answers.flatMap(({ diagnostics }) => diagnostics.map(({ source }) => source))).toContain(
    'authgraph',
  );
});

test('INV-E4 Neovim, which gets pushed diagnostics, shows what check prints', () => {
  expect(answers.slice(0, -1).map(shownByNeovim)).toEqual(byCheck(files));
});

test('Neovim shows the same after a change', () => {
  const last = answers.at(-1);
  const changed = join(folder, 'changed.yaml');
  writeFileSync(changed, `${last?.lines.join('\n')}\n`);
  expect(last?.lines.length).toBe((texts.at(-1)?.split('\n').length ?? 0) - 2);
  expect([shownByNeovim(last ?? { lines: [], diagnostics: [] })]).toEqual(byCheck([changed]));
});

test('a client that pulls gets the same from the same program', async () => {
  const [command = '', ...args] = program;
  const child = spawn(command, [...args, 'lsp', '--stdio']);
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  await connection.sendRequest('initialize', {
    processId: process.pid,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'workspace' }],
    capabilities: { textDocument: { diagnostic: {} } },
  });
  await connection.sendNotification('initialized', {});
  const pulled: (readonly string[])[] = [];
  for (const [index, path] of files.entries()) {
    const uri = pathToFileURL(path).href;
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text: texts[index] },
    });
    const report = await connection.sendRequest<DocumentDiagnosticReport>(
      'textDocument/diagnostic',
      { textDocument: { uri } },
    );
    pulled.push(report.kind === 'full' ? inOrder(report.items.map(shownByPuller)) : []);
  }
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await connection.sendRequest('shutdown');
  await connection.sendNotification('exit');
  expect(await ended).toBe(0);
  expect(pulled).toEqual(byCheck(files));
});

const shownByPuller = ({ range: { start, end }, severity, code, message }: Diagnostic): Shown => ({
  start: [start.line, start.character],
  end: [end.line, end.character],
  severity: severity ?? 0,
  code: String(code),
  message: typeof message === 'string' ? message : message.value,
});
