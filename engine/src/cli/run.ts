/** `authgraph COMMAND …`: finds the command and loads it, and nothing else. */
import type { Command } from './command.ts';
import { type ExitCode, exitCodes } from './exit-codes.ts';
import type { Io } from './io.ts';
import { terminalIo } from './terminal-io.ts';

interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** In the order of help. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'demo',
    summary: 'run a server with a local issuer and sample people, to play with',
    load: async () => (await import('./commands/demo.ts')).demo,
  },
  {
    name: 'serve',
    summary: 'answer who a request is over HTTPS, with the flags of kube-apiserver',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  {
    name: 'new',
    summary: 'write a configuration for a provider, with claims to try it on',
    load: async () => (await import('./commands/new.ts')).newCommand,
  },
  {
    name: 'check',
    summary: 'find every problem of a configuration file',
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'whoami',
    summary: 'decide who a token or a set of claims is, and tell why',
    load: async () => (await import('./commands/whoami.ts')).whoami,
  },
  {
    name: 'diff',
    summary: 'tell what a change of a configuration does to sample claims',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  {
    name: 'explain',
    summary: 'tell what a diagnostic code or a line of a log means',
    load: async () => (await import('./commands/explain.ts')).explain,
  },
  {
    name: 'graph',
    summary: 'show a configuration as the graph it compiles to',
    load: async () => (await import('./commands/graph.ts')).graph,
  },
  {
    name: 'compile',
    summary: 'write a configuration as an artefact that loads without compiling',
    load: async () => (await import('./commands/compile.ts')).compile,
  },
  {
    name: 'migrate',
    summary: 'turn --oidc-* flags, or a file of an older version, into a file of version v1',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  {
    name: 'doctor',
    summary: 'ask the issuers of a configuration, and tell what will fail',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'lsp',
    summary: 'run the language server for an editor',
    load: async () => (await import('./commands/lsp.ts')).lsp,
  },
  {
    name: 'create-token',
    summary: 'ask a server for a token of a service account',
    load: async () => (await import('./commands/create-token.ts')).createToken,
  },
];

/** Never throws for what a user types; an unexpected error is reported as one. */
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
    io.stderr.write(`error: a fault of authgraph, not of your input: ${trace}\n`);
    return exitCodes.failed;
  }
};

/** `create token` is `create-token`: so it is called elsewhere. */
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

/** Nothing but a token can be created. */
const unknownCreation = async ([what]: readonly string[], io: Io): Promise<ExitCode> => {
  const { redactArgument } = await import('../source/redact-secrets.ts');
  io.stderr.write(
    what === undefined
      ? 'error: "create" needs to be told what to create\n'
      : `error: unknown command ${JSON.stringify(`create ${redactArgument(what)}`)}\n`,
  );
  io.stderr.write('  Did you mean create token?\nSee: authgraph create token --help\n');
  return exitCodes.failed;
};

const traceOf = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
