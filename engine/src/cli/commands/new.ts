/** `authgraph new PROVIDER`: writes a configuration and sample claims that it accepts. */
import { toPrintable } from '../../diagnostics/printable.ts';
import {
  defaultFileNames,
  type NewFileNames,
  newConfiguration,
  type ValueToEdit,
  valuesToEdit,
} from '../../providers/new-configuration.ts';
import type { Provider } from '../../providers/provider.ts';
import { providers } from '../../providers/registry.ts';
import { settingProblem } from '../../providers/settings.ts';
import { redactArgument } from '../../source/redact-secrets.ts';
import { painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  defineCommand,
  fail,
  forceFlag,
  outFlag,
  outputFlag,
  unknownName,
} from '../command.ts';
import { failIfExisting } from '../existing-files.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';

const providerNames = providers.map(({ id }) => id);

export const newCommand = defineCommand({
  name: 'new',
  usage: '[flags] [PROVIDER]',
  about:
    'Writes a configuration for an identity provider, and sample claims as that provider sends them, so that the mapping can be tried without a token. Lines to edit have a comment with CHANGE ME; --set sets their values. Lists the providers and their keys if none is specified.',
  flags: [
    {
      name: 'set',
      group: 'Input',
      type: 'stringArray',
      placeholder: 'KEY=VALUE',
      doc: 'A value in the configuration, such as audience=kubernetes; may be repeated. `authgraph new` lists the keys of each provider.',
    },
    {
      ...outFlag,
      default: 'authentication.yaml',
      doc: 'Configuration file; the claims are written next to it, for dev.yaml as dev.claims.json. - prints the configuration alone. An existing file is overwritten only with --force.',
    },
    forceFlag,
    { ...outputFlag, doc: 'Output format of the list of providers, or of written files.' },
  ],
  examples: [
    { line: 'authgraph new', does: 'list the providers' },
    {
      line: 'authgraph new keycloak',
      does: 'write authentication.yaml and ada.claims.json to this directory',
    },
    {
      line: 'authgraph new github-actions --set org=acme --set audience=https://cluster.acme.example --out -',
      does: 'print the configuration with these values',
    },
  ],
  operands: [0, 1],
  mayReplaceOperand: true,
  operandNames: async () => providerNames,
  run: (read, io) => runNew(read, io),
});

const runNew = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const [wanted] = read.operands;
  if (wanted === undefined) {
    return read.values.isSet('set')
      ? read.misuse('--set requires a provider')
      : listProviders(read, io);
  }
  const provider = providers.find(({ id }) => id === wanted.toLowerCase());
  if (provider === undefined) return read.misuse([unknownName('provider', wanted, providerNames)]);
  const set = readSet(provider, read);
  return read.values.string('out') === '-'
    ? printConfiguration(provider, set, io)
    : writeFiles(provider, set, read, io);
};

const listProviders = ({ values }: CommandArguments, io: Io): ExitCode => {
  if (values.string('output') === 'json') {
    const rows = providers.map(({ id, title, description, source, settings }) => ({
      id,
      title,
      description,
      source,
      settings: settings.map(({ key, doc, example }) => ({ key, doc, example })),
    }));
    io.stdout.write(`${JSON.stringify({ version: 1, providers: rows }, undefined, 2)}\n`);
    return exitCodes.ok;
  }
  const paint = painter(wantsColor(values.string('color'), io.stdout, io));
  const width = Math.max(...providers.map(({ id }) => id.length));
  for (const { id, title, description, settings } of providers) {
    const keys = settings.map(({ key }) => key).join(', ');
    io.stdout.write(`${paint('bold', id.padEnd(width))}  ${title}: ${description}\n`);
    io.stdout.write(`${' '.repeat(width)}  ${paint('dim', `--set ${keys}`)}\n`);
  }
  return exitCodes.ok;
};

/** Returns the values of `--set` by key, or ends the command with all problems. */
const readSet = (
  { settings }: Provider,
  { values, misuse }: CommandArguments,
): ReadonlyMap<string, string> => {
  const set = new Map<string, string>();
  const problems = values.list('set').flatMap((argument) => {
    const end = argument.indexOf('=');
    const key = end === -1 ? argument : argument.slice(0, end);
    const value = argument.slice(key.length + 1);
    const setting = settings.find((one) => one.key === key);
    const wrong = (why: string, help = '') => [
      {
        message: `invalid argument ${JSON.stringify(redactArgument(argument))} for "--set" flag: ${why}`,
        help,
      },
    ];
    if (setting === undefined) return wrong('unknown key', keysHelp(settings));
    if (end === -1) return wrong('must be KEY=VALUE');
    if (set.has(key)) return wrong(`${key} is already set`);
    set.set(key, value);
    const problem = settingProblem(setting.form, value);
    return problem === undefined ? [] : wrong(`${key} ${problem}`, `It is ${setting.doc}.`);
  });
  return problems.length === 0 ? set : misuse(problems);
};

const keysHelp = (settings: Provider['settings']): string =>
  `Keys: ${settings.map(({ key, doc }) => `${key} (${doc})`).join('; ')}.`;

const lifeSeconds = 3600;

const filesOf = (
  provider: Provider,
  options: { readonly set: ReadonlyMap<string, string>; readonly names: NewFileNames | 'none' },
) => {
  const issued = Math.floor(Date.now() / 1000);
  return newConfiguration(provider, { issued, expires: issued + lifeSeconds }, options);
};

const printConfiguration = async (
  provider: Provider,
  set: ReadonlyMap<string, string>,
  io: Io,
): Promise<ExitCode> => {
  const [configuration] = filesOf(provider, { set, names: 'none' });
  const text = configuration?.text ?? '';
  const failure = await io.writeText('-', text);
  if (failure !== undefined) return fail(io, failure.reason);
  io.stderr.write(editText(valuesToEdit(provider, text)));
  return exitCodes.ok;
};

const writeFiles = async (
  provider: Provider,
  set: ReadonlyMap<string, string>,
  read: CommandArguments,
  io: Io,
): Promise<ExitCode> => {
  const { values } = read;
  const configuration = values.string('out');
  // The claims of several configurations in one folder have the names of their configurations.
  const claims = values.isSet('out')
    ? `${configuration.replace(/\.(?:ya?ml|json)$/, '')}.claims.json`
    : defaultFileNames(provider).claims;
  const names = { configuration, claims };
  const files = filesOf(provider, { set, names });
  failIfExisting(
    files.map(({ name }) => name),
    'out',
    read,
    io,
  );
  for (const { name, text } of files) {
    const failure = await io.writeText(name, text);
    if (failure !== undefined) return fail(io, failure.reason);
  }
  const edits = valuesToEdit(provider, files[0]?.text ?? '');
  if (values.string('output') === 'json') {
    const rows = edits.map(({ lines, setting: { key, doc } }) => ({ key, doc, lines }));
    const data = { version: 1, files: files.map(({ name }) => name), edit: rows };
    io.stdout.write(`${JSON.stringify(data, undefined, 2)}\n`);
    return exitCodes.ok;
  }
  const written = toPrintable(names.configuration);
  const sample = toPrintable(claims);
  io.stdout.write(
    `wrote ${written} and ${sample}\n${editText(edits)}\nTry it:\n  authgraph whoami ${written} --claims ${sample} --explain\n`,
  );
  return exitCodes.ok;
};

/** Lists the values to edit; empty if there is none. */
const editText = (edits: readonly ValueToEdit[]): string => {
  if (edits.length === 0) return '';
  const rows = edits.map(({ lines, setting: { key, doc } }) => ({
    key,
    doc,
    where: `line${lines.length === 1 ? '' : 's'} ${lines.join(', ')}`,
  }));
  const keyWidth = Math.max(...rows.map(({ key }) => key.length));
  const whereWidth = Math.max(...rows.map(({ where }) => where.length));
  const text = rows.map(
    ({ key, doc, where }) => `  ${key.padEnd(keyWidth)}  ${where.padEnd(whereWidth)}  ${doc}\n`,
  );
  return `\nEdit these values, or set them with --set KEY=VALUE:\n${text.join('')}`;
};
