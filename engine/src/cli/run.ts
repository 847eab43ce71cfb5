/** Finds the command of `authgraph COMMAND …` and runs it. */
import type { Command } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { asTyped, isKubectlPlugin } from './program-name.ts';
import { terminalIo } from './terminal-io.ts';

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** The commands in the order of the help. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'demo',
    summary: 'run a server with a local issuer and sample users',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    name: 'serve',
    summary: 'authenticate requests over HTTPS, with kube-apiserver flags',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'new',
    summary: 'write a configuration for a provider, with sample claims',
    load: async () => (await import('./commands/new.ts')).newCommand,
  },
  {
    name: 'check',
    summary: 'report every problem in a configuration file',
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'whoami',
    summary: 'show which user a token or a set of claims maps to, and why',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  {
    name: 'test',
    summary: 'run test files: claims, tokens and requests with the expected users',
    load: async () => (await import('./commands/test.ts')).testCommand,
  },
  {
    name: 'mutate',
    summary: 'change configurations and report which changes no test notices',
    load: async () => (await import('./commands/mutate.ts')).mutate,
  },
  {
    name: 'diff',
    summary: 'show or rule out that a configuration change affects access',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    name: 'replay',
    summary: 'show what a configuration would change for the tokens of a decision log',
    load: async () => (await import('./commands/replay.ts')).replayCommand,
  },
  {
    name: 'report',
    summary: 'write one HTML page with findings, graph, users, tests and access difference',
    load: async () => (await import('./commands/report.ts')).reportCommand,
  },
  {
    name: 'fleet',
    summary: 'check, test and compare all configurations of folders, and find servers that drifted',
    load: async () => (await import('./commands/fleet.ts')).fleet,
  },
  {
    name: 'who-can',
    summary: 'find or rule out tokens that map to a username or a group',
    load: async () => (await import('./commands/who-can.ts')).whoCanCommand,
  },
  {
    name: 'explain',
    summary: 'explain a diagnostic code or a log message',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'graph',
    summary: 'show the graph that a configuration compiles to',
    load: async () => (await import('./commands/graph.ts')).graph,
  },
  {
    name: 'compile',
    summary: 'write a configuration as an artifact that loads without compiling',
    load: async () => (await import('./commands/compile.ts')).compile,
  },
  {
    name: 'migrate',
    summary: 'convert --oidc-* flags, or an older file, to a file of version v1',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  {
    name: 'doctor',
    summary: 'contact the issuers of a configuration and report what will fail',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'lsp',
    summary: 'run the language server for an editor',
    load: async () => (await import('./commands/lsp.ts')).lsp,
  },
  {
    name: 'auth whoami',
    summary: 'show which user a server authenticates you as, with the kubeconfig of kubectl',
    load: async () => (await import('./commands/auth-whoami.ts')).authWhoami,
  },
  {
    name: 'get-token',
    summary: 'log in at an issuer, as a kubectl credential plugin',
    load: async () => (await import('./commands/get-token.ts')).getTokenCommand,
  },
  {
    name: 'config set-credentials',
    summary: 'let kubectl run get-token for a user of the kubeconfig',
    load: async () => (await import('./commands/set-credentials.ts')).setCredentials,
  },
  {
    name: 'create-token',
    summary: 'request a service account token from a server',
    load: async () => (await import('./commands/create-token.ts')).createToken,
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    load: async () => (await import('./commands/completion.ts')).completionOf(commands),
  },
  {
    name: 'version',
    summary: 'print the version, and the Kubernetes releases it supports',
    load: async () => (await import('./commands/version.ts')).versionCommand,
  },
];

/** Runs a command. Invalid input never throws; an unexpected error is printed. */
export const runCli = (args: readonly string[], io: Io): Promise<ExitCode> =>
  runCommand(args, terminalIo(io, args));

const runCommand = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const [name, ...rest] = joinWords(args, io);
  if (name === undefined) return printHelp(io);
  if (['help', '--help', '-h'].includes(name)) {
    const words = rest.filter((word) => !['help', '--help', '-h'].includes(word)).slice(0, 2);
    return words.length === 0 ? printHelp(io) : runCommand([...words, '--help'], io);
  }
  if (name === '--version') return runCommand(['version', '--short', ...rest], io);
  const entry = commands.find((candidate) => candidate.name === name);
  if (entry === undefined) {
    const group = subcommandsOf(name);
    return group.length > 0
      ? unknownSubcommand(name, rest, { group, io })
      : unknownCommand(name, io);
  }
  try {
    const command = await entry.load();
    return await command.run(rest, io);
  } catch (cause) {
    const { redactSecrets } = await import('../source/redact-secrets.ts');
    const trace = redactSecrets(traceOf(cause));
    io.stderr.write(`error: internal error of authgraph: ${trace}\n`);
    return exitCodes.failed;
  }
};

/** Joins the words of a command such as `auth whoami`. */
const joinWords = (args: readonly string[], io: Io): readonly string[] => {
  const [first = '', second = '', ...rest] = args;
  if (isSelfReview(args, io)) return ['auth whoami', ...args.slice(1)];
  const group = subcommandsOf(first);
  const [only] = group;
  if (only === undefined) return args;
  if (['--help', '-h'].includes(second)) return [only.name, second];
  const found = group.find(({ words }) => words === `${first} ${second}`);
  return found === undefined ? args : [found.name, ...rest];
};

/** `kubectl authgraph whoami` without a configuration asks the server, as kubectl users expect. */
const isSelfReview = ([name, ...rest]: readonly string[], io: Io): boolean =>
  isKubectlPlugin(io) &&
  name === 'whoami' &&
  (rest[0] ?? '-').startsWith('-') &&
  !rest.some((argument) => /^(?:-c|-h$|--(?:config|claims|jwks|fetch|help)(?:=|$))/.test(argument));

/** Returns the commands whose first word is the name; `create-token` is written `create token` too. */
const subcommandsOf = (
  group: string,
): readonly { readonly name: string; readonly words: string }[] =>
  commands
    .map(({ name }) => ({ name, words: name === 'create-token' ? 'create token' : name }))
    .filter(({ words }) => words.startsWith(`${group} `));

const printHelp = async (io: Io): Promise<ExitCode> => {
  const { programHelp } = await import('./help.ts');
  io.stdout.write(asTyped(programHelp(commands), io));
  return exitCodes.ok;
};

const unknownCommand = async (name: string, io: Io): Promise<ExitCode> => {
  const { commandSuggestion } = await import('./suggest-command.ts');
  const { redactArgument } = await import('../source/redact-secrets.ts');
  const suggestion = commandSuggestion(
    name,
    commands.map((command) => command.name),
  );
  const what = name.startsWith('-') ? 'flag' : 'command';
  io.stderr.write(`error: unknown ${what} ${JSON.stringify(redactArgument(name))}\n`);
  if (suggestion !== '') io.stderr.write(`  ${suggestion}\n`);
  io.stderr.write(asTyped('See: authgraph --help\n', io));
  return exitCodes.failed;
};

/** Reports a missing or unknown second word of a command. */
const unknownSubcommand = async (
  name: string,
  [what]: readonly string[],
  { group, io }: { readonly group: ReturnType<typeof subcommandsOf>; readonly io: Io },
): Promise<ExitCode> => {
  const { redactArgument } = await import('../source/redact-secrets.ts');
  io.stderr.write(
    what === undefined
      ? `error: "${name}" requires an argument\n`
      : `error: unknown command ${JSON.stringify(`${name} ${redactArgument(what)}`)}\n`,
  );
  for (const { words } of group)
    io.stderr.write(asTyped(`  Did you mean ${words}?\nSee: authgraph ${words} --help\n`, io));
  return exitCodes.failed;
};

const traceOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
