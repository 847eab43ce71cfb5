// One session with a language server over its standard streams, as an editor has it, and what each
// step took from the client's side. Resident memory is that of the server with its children.
import { execFileSync, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { completions, hovers, typing } from './workload.mjs';

const patienceMs = 60_000;
/** An edit that no diagnostics answer for so long counts as unanswered. */
const quietMs = 1_500;
const pauseMs = 20;

const capabilities = {
  general: { positionEncodings: ['utf-16'] },
  workspace: { configuration: true, workspaceFolders: true, diagnostics: { refreshSupport: true } },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true, relatedInformation: true },
    diagnostic: { dynamicRegistration: true, relatedDocumentSupport: true },
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } },
    hover: { contentFormat: ['markdown'] },
  },
};

/** Runs the workload against `command` and gives the figures, in milliseconds and MiB. */
export const session = async ({ command, folder, file, text: opened, settings }) => {
  const uri = pathToFileURL(file).href;
  const server = connect(command, { uri, folder, settings });
  const started = performance.now();
  const rootUri = pathToFileURL(folder).href;
  const { capabilities: offered } = await server.request('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'bench' }],
    capabilities,
  });
  const initializeMs = performance.now() - started;
  const pulls = Boolean(offered.diagnosticProvider);
  server.notify('initialized', {});
  server.notify('workspace/didChangeConfiguration', { settings });

  let text = opened;
  let version = 1;
  /** Tells of a change and waits until its diagnostics are there. */
  const diagnosed = async (method, params) => {
    const from = performance.now();
    const pushed = pulls
      ? undefined
      : server.pushed(version, method.endsWith('Open') ? patienceMs : quietMs);
    server.notify(method, params);
    const answered = pulls
      ? await server.request('textDocument/diagnostic', { textDocument: { uri } })
      : await pushed;
    return answered === undefined ? undefined : performance.now() - from;
  };
  const textDocument = { uri, languageId: 'yaml', version, text };
  const firstDiagnosticsMs = await diagnosed('textDocument/didOpen', { textDocument });
  const startToDiagnosticsMs = performance.now() - started;
  await sleep(quietMs);
  const memoryAfterOpen = residentMiB(server.pid);

  const edit = (offset, removed, inserted) => {
    const range = { start: positionIn(text, offset), end: positionIn(text, offset + removed) };
    text = text.slice(0, offset) + inserted + text.slice(offset + removed);
    version += 1;
    return diagnosed('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ range, text: inserted }],
    });
  };
  const keystrokes = [];
  for (const place of typing) {
    for (let time = 0; time < place.times; time += 1) {
      const offset = offsetOf(text, place);
      for (const [removed, inserted] of [
        [0, 'x'],
        [1, ''],
      ]) {
        keystrokes.push((await edit(offset, removed, inserted)) ?? quietMs);
        await sleep(pauseMs);
      }
    }
  }
  const asked = async (method, places) => {
    const times = [];
    for (const place of places) {
      for (let time = 0; time < place.times; time += 1) {
        const position = positionIn(text, offsetOf(text, place));
        const from = performance.now();
        await server.request(method, { textDocument: { uri }, position });
        times.push(performance.now() - from);
      }
    }
    return times;
  };
  const completion = await asked('textDocument/completion', completions);
  const hover = await asked('textDocument/hover', hovers);
  const memoryAtEnd = residentMiB(server.pid);
  await server.end();
  return {
    initializeMs,
    firstDiagnosticsMs,
    startToDiagnosticsMs,
    keystrokeP50: quantile(keystrokes, 0.5),
    keystrokeP95: quantile(keystrokes, 0.95),
    completionP95: quantile(completion, 0.95),
    hoverP95: quantile(hover, 0.95),
    memoryAfterOpen,
    memoryAtEnd,
  };
};

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const quantile = (values, share) => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
};

const offsetOf = (text, { behind, within = behind, nth }) => {
  let at = -1;
  for (let time = 0; time <= nth; time += 1) {
    at = text.indexOf(within, at + 1);
    if (at === -1) throw new Error(`${JSON.stringify(within)} stands less than ${nth + 1} times`);
  }
  return at + behind.length;
};

const positionIn = (text, offset) => {
  const before = text.slice(0, offset);
  return {
    line: before.split('\n').length - 1,
    character: offset - (before.lastIndexOf('\n') + 1),
  };
};

/** Of the process and all that it started. */
const residentMiB = (root) => {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  const tree = new Set([root]);
  for (let size = 0; size < tree.size; ) {
    size = tree.size;
    for (const [pid, parent] of rows) if (tree.has(parent)) tree.add(pid);
  }
  return rows.reduce((sum, [pid, , kib]) => (tree.has(pid) ? sum + kib / 1024 : sum), 0);
};

const connect = ([program, ...args], { uri, folder, settings }) => {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.on('exit', resolve));
  const waiting = new Map();
  let listeners = [];
  let ids = 0;
  const send = (message) => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    child.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    child.stdin.write(body);
  };
  const section = (path) => {
    const names = path === undefined ? [] : path.split('.');
    return names.reduce((value, name) => value?.[name], settings) ?? null;
  };
  /** Requests from servers to their client. */
  const replies = {
    'workspace/configuration': ({ items }) => items.map((item) => section(item.section)),
    'workspace/workspaceFolders': () => [{ uri: pathToFileURL(folder).href, name: 'bench' }],
  };
  const receive = (message) => {
    if (message.method === undefined) {
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    } else if (message.id !== undefined) {
      send({ id: message.id, result: replies[message.method]?.(message.params) ?? null });
    } else if (message.method === 'textDocument/publishDiagnostics' && message.params.uri === uri) {
      listeners = listeners.filter((listener) => !listener(message.params));
    }
  };
  let buffer = Buffer.alloc(0);
  child.stdout.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    while (true) {
      const head = buffer.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/content-length: *(\d+)/i.exec(buffer.toString('latin1', 0, head))[1]);
      if (buffer.length < head + 4 + length) return;
      const body = buffer.toString('utf8', head + 4, head + 4 + length);
      buffer = buffer.subarray(head + 4 + length);
      receive(JSON.parse(body));
    }
  });
  const notify = (method, params) => send({ method, params });
  const request = (method, params) => {
    ids += 1;
    const id = ids;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), patienceMs);
      waiting.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (error === undefined) resolve(result ?? null);
        else reject(new Error(`${method}: ${error.message}`));
      });
      send({ id, method, params });
    });
  };
  return {
    pid: child.pid,
    notify,
    request,
    /** The push that answers a version, or the first after it from a server that names none. */
    pushed: (version, limit) =>
      new Promise((resolve) => {
        const listener = (params) => {
          if (typeof params.version === 'number' && params.version < version) return false;
          clearTimeout(timer);
          resolve(params);
          return true;
        };
        const timer = setTimeout(() => {
          listeners = listeners.filter((each) => each !== listener);
          resolve(undefined);
        }, limit);
        listeners.push(listener);
      }),
    async end() {
      await request('shutdown', null);
      notify('exit');
      const timer = setTimeout(() => child.kill(), 2_000);
      await ended;
      clearTimeout(timer);
    },
  };
};
