/** Finds the command of `authgraph COMMAND …` and runs it. */
import type { Command } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
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
    summary: 'authenticate requests over HTTPS, with the flags of kube-apiserver',
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
    name: 'diff',
    summary: 'show how a configuration change affects sample claims',
    load: async () => (await import('./commands/diff.ts')).diff,
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
    name: 'create-token',
    summary: 'request a service account token from a server',
    load: async () => (await import('./commands/create-token.ts')).createToken,
  },
];

/** Runs a command. Invalid input never throws; an unexpected error is printed. */
export const runCli = (args: readonly string[], io: Io): Promise<ExitCode> =>
  runCommand(args, terminalIo(io, args));

const runCommand = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const [name, ...rest] = withoutSpace(args);
  if (name === undefined) return printHelp(io, exitCodes.failed);
  if (name === '--help' || name === '-h') return printHelp(io, exitCodes.ok);
  if (name === 'help')
    return rest[0] === undefined
      ? printHelp(io, exitCodes.ok)
      : runCommand([...rest.slice(0, 2), '--help'], io);
  if (name === '--version' || name === 'version') {
    const { version } = await import('./version.ts');
    io.stdout.write(`authgraph ${version}\n`);
    return exitCodes.ok;
  }
  const entry = commands.find((candidate) => candidate.name === name);
  if (entry === undefined) {
    return name === 'create' ? unknownCreation(rest, io) : unknownCommand(name, io);
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

/** Accepts `create token` as `create-token`, which is kubectl's spelling. */
const withoutSpace = (args: readonly string[]): readonly string[] => {
  const [first, second = '', ...rest] = args;
  if (first !== 'create') return args;
  if (['--help', '-h'].includes(second)) return ['create-token', second];
  return second === 'token' ? ['create-token', ...rest] : args;
};

const printHelp = async (io: Io, code: ExitCode): Promise<ExitCode> => {
  const { programHelp } = await import('./help.ts');
  (code === exitCodes.ok ? io.stdout : io.stderr).write(programHelp(commands));
  return code;
};

const unknownCommand = async (name: string, io: Io): Promise<ExitCode> => {
  const { nearestName } = await import('../flags/parse-flags.ts');
  const { redactArgument } = await import('../source/redact-secrets.ts');
  const near = nearestName(
    name,
    commands.map((command) => command.name),
  );
  io.stderr.write(`error: unknown command ${JSON.stringify(redactArgument(name))}\n`);
  if (near !== undefined) io.stderr.write(`  Did you mean ${near}?\n`);
  io.stderr.write('See: authgraph --help\n');
  return exitCodes.failed;
};

/** Reports an unknown `create` command; only tokens can be created. */
const unknownCreation = async ([what]: readonly string[], io: Io): Promise<ExitCode> => {
  const { redactArgument } = await import('../source/redact-secrets.ts');
  io.stderr.write(
    what === undefined
      ? 'error: "create" requires an argument\n'
      : `error: unknown command ${JSON.stringify(`create ${redactArgument(what)}`)}\n`,
  );
  io.stderr.write('  Did you mean create token?\nSee: authgraph create token --help\n');
  return exitCodes.failed;
};

const traceOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
