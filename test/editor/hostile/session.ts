/** Runs the language server on a hostile workspace with every request that an editor sends. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createProtocolConnection,
  type InitializeResult,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { HostileCase } from './workspaces.ts';

export interface RecordedAnswer {
  /** The request, or the server's notification. */
  readonly what: string;
  readonly answer: unknown;
}

export interface Session {
  readonly place: string;
  readonly workspace: string;
  readonly answers: readonly RecordedAnswer[];
  /** Requests that failed, with their error messages. */
  readonly errors: readonly RecordedAnswer[];
  readonly exitCode: number | null;
  readonly stderr: string;
  /** The output of strace. */
  readonly trace: string;
  /** Peak resident memory in MiB. */
  readonly peakMemoryMiB: number;
  readonly exists: (path: string) => boolean;
}

const server = join(import.meta.dirname, '../../../language-server/dist/main.js');

export const runSession = async (hostileCase: HostileCase): Promise<Session> => {
  const place = mkdtempSync(join(tmpdir(), 'hostile-'));
  try {
    return await sessionAt(place, hostileCase);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
};

const sessionAt = async (place: string, hostileCase: HostileCase): Promise<Session> => {
  const workspace = join(place, 'workspace');
  mkdirSync(workspace);
  layOut(workspace, hostileCase);
  const log = join(place, 'trace.log');
  const calls = '%network,%process,%file,ftruncate,fchmod,fchown';
  // Started in the workspace, as editors may do: nothing there may be loaded as part of the
  // program.
  const child = spawn(
    'strace',
    [
      '-f',
      '-qq',
      '--seccomp-bpf',
      '-e',
      `trace=${calls}`,
      '-o',
      log,
      process.execPath,
      server,
      '--stdio',
    ],
    { cwd: workspace, env: { PATH: process.env.PATH ?? '', HOME: place } },
  );
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', resolve);
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const answers: RecordedAnswer[] = [];
  const errors: RecordedAnswer[] = [];
  try {
    await Promise.race([converse(connection, { hostileCase, workspace, answers, errors }), ended]);
    const peakMemoryMiB = peakResidentMiB(log);
    await Promise.race([connection.sendRequest('shutdown'), ended]);
    await connection.sendNotification('exit').catch(() => undefined);
    const exitCode = await ended;
    const trace = readFileSync(log, 'utf8');
    const after = execFileSync('find', [place, '-not', '-path', `${workspace}/many/*`], {
      encoding: 'utf8',
    });
    const paths = new Set(after.split('\n'));
    const exists = (path: string): boolean => paths.has(join(workspace, path));
    return {
      place,
      workspace,
      answers,
      errors,
      exitCode,
      stderr,
      trace,
      peakMemoryMiB,
      exists,
    };
  } finally {
    child.kill('SIGKILL');
    connection.dispose();
  }
};

const layOut = (workspace: string, { contents }: HostileCase): void => {
  for (const [path, entry] of contents) {
    const at = join(workspace, path);
    mkdirSync(dirname(at), { recursive: true });
    if (entry === 'pipe') execFileSync('mkfifo', [at]);
    else if (typeof entry === 'string') writeFileSync(at, entry);
    else symlinkSync(entry.link, at);
  }
};

/**
 * Reads the peak memory of the process that strace started; lines of the log start with its PID.
 */
const peakResidentMiB = (log: string): number => {
  const [, pid = ''] = /^(\d+)/.exec(readFileSync(log, 'utf8').slice(0, 40)) ?? [];
  try {
    const [, kibibytes = '0'] =
      /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / 1024;
  } catch {
    return Number.NaN;
  }
};

interface Conversation {
  readonly hostileCase: HostileCase;
  readonly workspace: string;
  readonly answers: RecordedAnswer[];
  readonly errors: RecordedAnswer[];
}

const converse = async (
  connection: ProtocolConnection,
  { hostileCase, workspace, answers, errors }: Conversation,
): Promise<void> => {
  for (const method of [
    'window/logMessage',
    'window/showMessage',
    'textDocument/publishDiagnostics',
    'telemetry/event',
  ]) {
    connection.onNotification(method, (answer: unknown) => {
      answers.push({ what: method, answer });
    });
  }
  connection.onRequest('workspace/configuration', ({ items }: { items: readonly unknown[] }) =>
    items.map(() => hostileCase.settings),
  );
  for (const method of [
    'client/registerCapability',
    'client/unregisterCapability',
    'workspace/inlayHint/refresh',
    'workspace/codeLens/refresh',
    'workspace/diagnostic/refresh',
  ]) {
    connection.onRequest(method, () => null);
  }
  for (const method of [
    'workspace/applyEdit',
    'window/showDocument',
    'window/showMessageRequest',
  ]) {
    connection.onRequest(method, (answer: unknown) => {
      answers.push({ what: method, answer });
      return null;
    });
  }
  connection.listen();

  const ask = async (what: string, params: object): Promise<unknown> => {
    try {
      const answer = await connection.sendRequest<unknown>(what, params);
      answers.push({ what, answer });
      return answer;
    } catch (cause) {
      errors.push({ what, answer: cause instanceof Error ? cause.message : cause });
      return undefined;
    }
  };

  await connection.sendRequest<InitializeResult>('initialize', {
    processId: process.pid,
    workspaceFolders: [{ uri: pathToFileURL(workspace).href, name: 'workspace' }],
    capabilities: {
      workspace: {
        configuration: true,
        workspaceFolders: true,
        inlayHint: { refreshSupport: true },
        codeLens: { refreshSupport: true },
        diagnostics: { refreshSupport: true },
        didChangeWatchedFiles: { dynamicRegistration: true },
      },
      textDocument: {
        diagnostic: {},
        hover: { contentFormat: ['markdown'] },
        completion: { completionItem: { documentationFormat: ['markdown'], snippetSupport: true } },
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
      },
    },
    initializationOptions: { trusted: hostileCase.trusted },
  });
  await connection.sendNotification('initialized', {});
  await ask('authgraph/samples', {});
  if (hostileCase.pasted !== undefined) {
    await ask('authgraph/memorySample', { name: 'pasted', claims: hostileCase.pasted });
  }
  const uris: string[] = [];
  for (const name of hostileCase.open) {
    const path = join(workspace, name);
    const uri = pathToFileURL(path).href;
    uris.push(uri);
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: {
        uri,
        languageId: name.endsWith('.json') ? 'json' : 'yaml',
        version: 1,
        text: readFileSync(path, 'utf8'),
      },
    });
  }
  if (hostileCase.contents.has('unusual.claims.json')) {
    await ask('authgraph/chooseSample', { name: 'unusual' });
  }
  for (const [index, uri] of uris.entries()) {
    const text = readFileSync(join(workspace, hostileCase.open[index] ?? ''), 'utf8');
    await askAbout(uri, text, ask);
  }
  await ask('authgraph/samples', {});
};

type Ask = (what: string, params: object) => Promise<unknown>;

/** Sends the requests of an editor that shows a document while the user moves through it. */
const askAbout = async (uri: string, text: string, ask: Ask): Promise<void> => {
  const textDocument = { uri };
  const lines = text.split('\n').slice(0, maxLines);
  const range = { start: { line: 0, character: 0 }, end: { line: lines.length, character: 0 } };
  for (const what of [
    'diagnostic',
    'documentSymbol',
    'foldingRange',
    'semanticTokens/full',
    'codeLens',
    'documentLink',
  ]) {
    await ask(`textDocument/${what}`, { textDocument });
  }
  await ask('textDocument/inlayHint', { textDocument, range });
  await ask('textDocument/codeAction', { textDocument, range, context: { diagnostics: [] } });
  await ask('textDocument/formatting', {
    textDocument,
    options: { tabSize: 2, insertSpaces: true },
  });
  for (const what of ['whoami', 'graph', 'change', 'issuerUrls']) {
    await ask(`authgraph/${what}`, { uri, ...(what === 'whoami' ? { samples: 'all' } : {}) });
  }
  await ask('authgraph/whoami', { uri, as: { username: 'jane', groups: ['dev'] } });
  for (const [line, content] of lines.entries()) {
    for (const { index } of content.matchAll(/claims\.(?=[a-z])/g)) {
      const position = { line, character: index + 'claims.'.length };
      await ask('textDocument/completion', { textDocument, position });
    }
    const middle = Math.min(content.length, 400) >> 1;
    for (const character of new Set([
      content.length - content.trimStart().length + 1,
      middle,
      content.length,
    ])) {
      const place = { textDocument, position: { line, character } };
      await ask('textDocument/hover', place);
      if (character !== middle) continue;
      await ask('textDocument/completion', place);
      await ask('textDocument/signatureHelp', place);
      await ask('textDocument/definition', place);
      await ask('textDocument/references', { ...place, context: { includeDeclaration: true } });
    }
  }
};

const maxLines = 120;
