/** `authgraph new PROVIDER`: a configuration to begin with, and a sample that it lets in. */
import { toPrintable } from '../../diagnostics/printable.ts';
import { isSlash, trimEnd } from '../../formats/trim.ts';
import { newConfiguration } from '../../providers/new-configuration.ts';
import type { Provider } from '../../providers/provider.ts';
import { providers } from '../../providers/registry.ts';
import { redactArgument } from '../../source/redact-secrets.ts';
import { painter, wantsColor } from '../color.ts';
import {
  type Command,
  type CommandArguments,
  commonFlags,
  reportMisuse,
  fail,
  outputFlag,
  readArguments,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';

export const newCommand: Command = {
  name: 'new',
  usage: '[flags] [PROVIDER]',
  about:
    'Writes a configuration for a provider of identities, with claims as that provider really sends them, so that the first mapped user is seen at once and without a token. Without a provider it lists them.',
  flags: [
    {
      name: 'folder',
      shorthand: 'd',
      group: 'Output',
      type: 'string',
      placeholder: 'DIR',
      default: '.',
      doc: 'Where the files are written; it has to exist.',
    },
    {
      name: 'force',
      shorthand: 'f',
      group: 'Output',
      type: 'bool',
      default: 'false',
      doc: 'Write over files that are there.',
    },
    { ...outputFlag, doc: 'How to list providers, or to tell which files were written.' },
    ...commonFlags,
  ],
  examples: [
    { line: 'authgraph new', does: 'which providers there are' },
    { line: 'authgraph new keycloak', does: 'authentication.yaml and ada.claims.json, here' },
  ],
  run: (args, io) => runNew(args, io),
};

const runNew = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const read = await readArguments(newCommand, args, io, { operands: [0, 1], missing: '' });
  if (typeof read === 'number') return read;
  const [wanted] = read.operands;
  if (wanted === undefined) return listProviders(read, io);
  const provider = providers.find(({ id }) => id === wanted);
  return provider === undefined
    ? reportMisuse(newCommand, [unknownProvider(wanted)], io)
    : writeFiles(provider, read, io);
};

const unknownProvider = (wanted: string): { readonly message: string; readonly help: string } => ({
  message: `unknown provider ${JSON.stringify(redactArgument(wanted))}`,
  help: `There are ${providers.map(({ id }) => id).join(', ')}.`,
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
        `${pathOf(name)} is there already`,
        'Name another folder with --folder, or write over it with --force.',
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
    `wrote ${configuration} and ${claims}\n\nWho would that be?\n  authgraph whoami --config ${configuration} --claims ${claims} --explain\n`,
  );
  return exitCodes.ok;
};
