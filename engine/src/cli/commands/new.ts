/** `authgraph new PROVIDER`: writes a configuration and sample claims that it accepts. */
import { toPrintable } from '../../diagnostics/printable.ts';
import { isSlash, trimEnd } from '../../formats/trim.ts';
import { newConfiguration } from '../../providers/new-configuration.ts';
import type { Provider } from '../../providers/provider.ts';
import { providers } from '../../providers/registry.ts';
import { redactArgument } from '../../source/redact-secrets.ts';
import { painter, wantsColor } from '../color.ts';
import { type CommandArguments, defineCommand, fail, outputFlag } from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';

export const newCommand = defineCommand({
  name: 'new',
  usage: '[flags] [PROVIDER]',
  about:
    'Writes a configuration for an identity provider, and sample claims as that provider sends them, so that the mapping can be tried without a token. Lists the providers if none is specified.',
  flags: [
    {
      name: 'folder',
      shorthand: 'd',
      group: 'Output',
      placeholder: 'DIR',
      default: '.',
      doc: 'Directory of the written files; it must exist.',
    },
    {
      name: 'force',
      shorthand: 'f',
      group: 'Output',
      type: 'bool',
      doc: 'Overwrite existing files.',
    },
    { ...outputFlag, doc: 'Output format of the list of providers, or of written files.' },
  ],
  examples: [
    { line: 'authgraph new', does: 'list the providers' },
    {
      line: 'authgraph new keycloak',
      does: 'write authentication.yaml and ada.claims.json to this directory',
    },
  ],
  operands: [0, 1],
  run: (read, io) => runNew(read, io),
});

const runNew = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const [wanted] = read.operands;
  if (wanted === undefined) return listProviders(read, io);
  const provider = providers.find(({ id }) => id === wanted);
  return provider === undefined
    ? read.misuse([unknownProvider(wanted)])
    : writeFiles(provider, read, io);
};

const unknownProvider = (wanted: string): { readonly message: string; readonly help: string } => ({
  message: `unknown provider ${JSON.stringify(redactArgument(wanted))}`,
  help: `Available: ${providers.map(({ id }) => id).join(', ')}.`,
});

const listProviders = ({ values }: CommandArguments, io: Io): ExitCode => {
  if (values.string('output') === 'json') {
    const rows = providers.map(({ id, title, description, source }) => ({
      id,
      title,
      description,
      source,
    }));
    io.stdout.write(`${JSON.stringify({ version: 1, providers: rows }, undefined, 2)}\n`);
    return exitCodes.ok;
  }
  const paint = painter(wantsColor(values.string('color'), io.stdout, io));
  const width = Math.max(...providers.map(({ id }) => id.length));
  for (const { id, title, description } of providers) {
    io.stdout.write(`${paint('bold', id.padEnd(width))}  ${title}: ${description}\n`);
  }
  return exitCodes.ok;
};

const lifeSeconds = 3600;

const writeFiles = async (
  provider: Provider,
  { values }: CommandArguments,
  io: Io,
): Promise<ExitCode> => {
  const issued = Math.floor(Date.now() / 1000);
  const files = newConfiguration(provider, { issued, expires: issued + lifeSeconds });
  const folder = trimEnd(values.string('folder'), isSlash);
  const pathOf = (name: string): string => (folder === '.' ? name : `${folder}/${name}`);
  for (const { name } of values.bool('force') ? [] : files) {
    const existing = await io.readText(pathOf(name));
    if (existing.kind === 'text') {
      return fail(
        io,
        `${pathOf(name)} already exists`,
        'Specify another folder with --folder, or overwrite it with --force.',
      );
    }
  }
  for (const { name, text } of files) {
    const failure = await io.writeText(pathOf(name), text);
    if (failure !== undefined) return fail(io, failure.reason);
  }
  const names = files.map(({ name }) => pathOf(name));
  if (values.string('output') === 'json') {
    io.stdout.write(`${JSON.stringify({ version: 1, files: names }, undefined, 2)}\n`);
    return exitCodes.ok;
  }
  const [configuration, claims] = names.map(toPrintable);
  io.stdout.write(
    `wrote ${configuration} and ${claims}\n\nTry it:\n  authgraph whoami --config ${configuration} --claims ${claims} --explain\n`,
  );
  return exitCodes.ok;
};
