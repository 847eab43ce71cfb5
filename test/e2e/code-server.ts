/**
 * Serves a VS Code on a free local port with its own profile. The packed extension is installed as
 * a user would install it, and everything written to disk is in one folder.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import type { Tools } from './tools.ts';
import { until } from './until.ts';

/** The extension host: a server process, or a worker of the browser. */
export type Host = 'desktop' | 'web';

export interface CodeServer {
  readonly address: string;
  /** Contains `data`, `extensions`, `browser`, `work` and the logs. */
  readonly home: string;
  /** Folders of the installed extensions. */
  readonly extensions: readonly string[];
  /**
   * Creates a new folder of this name under `work`; VS Code would show the editors again that it
   * had open in an old one.
   */
  folder(name: string): string;
  settings(values: Readonly<Record<string, unknown>>): void;
  stop(): Promise<void>;
  /** Removes all files. */
  remove(): void;
}

export interface CodeServerOptions {
  readonly tools: Tools;
  readonly host: Host;
  /** The .vsix files to install. */
  readonly packages: readonly string[];
}

export const startCodeServer = async (options: CodeServerOptions): Promise<CodeServer> => {
  const { tools } = options;
  const home = mkdtempSync(join(tmpdir(), `authgraph-${options.host}-`));
  const shared = [
    '--user-data-dir',
    join(home, 'data'),
    '--extensions-dir',
    join(home, 'extensions'),
    '--config',
    join(home, 'config.yaml'),
  ];
  mkdirSync(join(home, 'data/User'), { recursive: true });
  mkdirSync(join(home, 'work'));
  writeFileSync(join(home, 'config.yaml'), '');
  for (const file of options.packages) {
    await finished(spawnLogged(tools, [...shared, '--install-extension', file], home, 'install'));
  }
  const extensions = installedIn(join(home, 'extensions'));
  const kinds = Object.fromEntries(
    extensions.map((folder) => [identifier(folder), [hostKind[options.host]]]),
  );
  const settings = (values: Readonly<Record<string, unknown>>): void =>
    writeFileSync(
      join(home, 'data/User/settings.json'),
      JSON.stringify({ ...quiet, 'remote.extensionKind': kinds, ...values }, undefined, 2),
    );
  settings({});
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const server = spawnLogged(
    tools,
    [
      ...shared,
      ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-getting-started-override',
    ],
    home,
    'server',
  );
  await until(`code-server answers at ${address}`, () => healthy(address));
  return {
    address,
    home,
    extensions,
    folder: (name) => {
      let parent = join(home, 'work');
      while (existsSync(join(parent, name))) parent = join(parent, 'again');
      mkdirSync(join(parent, name), { recursive: true });
      return join(parent, name);
    },
    settings,
    stop: () => stop(server),
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
};

const hostKind: Readonly<Record<Host, string>> = { desktop: 'workspace', web: 'web' };

const installedIn = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name));

const identifier = (folder: string): string => {
  const { publisher, name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${publisher}.${name}`;
};

/** Settings that turn off VS Code's own walkthroughs, chat, Git, prompts and network requests. */
const quiet = {
  'workbench.reduceMotion': 'on',
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.colorTheme': 'Dark Modern',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.commandPalette.experimental.suggestCommands': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'window.restoreWindows': 'none',
  'window.confirmBeforeClose': 'never',
  'files.autoSave': 'off',
  'files.hotExit': 'off',
  'editor.accessibilitySupport': 'off',
  'editor.hover.delay': 100,
  'editor.minimap.enabled': false,
  'git.enabled': false,
  // Port forwarding starts programs every few seconds.
  'remote.autoForwardPorts': false,
  'chat.disableAIFeatures': true,
  'security.workspace.trust.enabled': false,
};

/** Starts a process tree; its connections and programs are logged in `outside.log`. */
const spawnLogged = (
  { node, codeServer, strace }: Tools,
  args: readonly string[],
  home: string,
  name: string,
): ChildProcess => {
  const log = openSync(join(home, `${name}.log`), 'a');
  const observed =
    strace === undefined
      ? []
      : [
          strace,
          ...['-f', '--seccomp-bpf', '-qq', '-s', '256', '-o', join(home, 'outside.log')],
          ...['-e', 'trace=connect,execve'],
        ];
  const [command = node, ...rest] = [...observed, node, codeServer, ...args];
  // Without a gallery VS Code does not look up extensions.
  const environment = {
    HOME: home,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C.UTF-8',
    EXTENSIONS_GALLERY: '{"serviceUrl":""}',
  };
  return spawn(command, rest, { stdio: ['ignore', log, log], detached: true, env: environment });
};

const finished = (child: ChildProcess): Promise<void> =>
  new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) =>
      code === 0 ? done() : fail(new Error(`installing the extension ended with ${code}`)),
    );
  });

const stop = async (server: ChildProcess): Promise<void> => {
  if (server.pid === undefined || server.exitCode !== null) return;
  const ended = new Promise((done) => server.once('exit', done));
  // Ends the whole process group: the supervisor, the server, the extension hosts, and strace.
  process.kill(-server.pid, 'SIGTERM');
  const hard = setTimeout(() => process.kill(-(server.pid ?? 0), 'SIGKILL'), 10_000);
  await ended;
  clearTimeout(hard);
};

const healthy = async (address: string): Promise<boolean> => {
  try {
    return (await fetch(`${address}/healthz`)).ok;
  } catch {
    return false;
  }
};
