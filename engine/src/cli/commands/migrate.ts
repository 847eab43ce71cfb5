/**
 * `authgraph migrate`: converts `--oidc-*` flags or an older file to a configuration file of
 * version v1.
 */
import type { FlagValues } from '../../flags/flag.ts';
import { serveFlags } from '../../server/flags/serve-flags.ts';
import { wantsColor } from '../color.ts';
import {
  type CommandArguments,
  defineCommand,
  outputFlag,
  printError,
  targetVersionFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { Migration } from '../migration.ts';
import { targetSettings } from '../target-settings.ts';

const oidcFlags = serveFlags
  .filter(({ name }) => name.startsWith('oidc-'))
  .map((row) => ({ ...row, group: 'From flags' }));

export const migrate = defineCommand({
  name: 'migrate',
  usage: '(FILE | --oidc-issuer-url URL --oidc-client-id ID [flags])',
  about:
    'Prints the configuration file that is equivalent to a set of --oidc-* flags, after verifying that both make the same decision for a corpus of tokens. Or migrates a file of an older version to v1 and retains its comments, after verifying that both compile to the same graph.',
  flags: [
    ...oidcFlags,
    {
      ...outputFlag,
      doc: 'Print only the file, with notes on standard error, or everything as JSON.',
    },
    targetVersionFlag,
  ],
  examples: [
    {
      line: 'authgraph migrate --oidc-issuer-url https://issuer.example.com --oidc-client-id app > auth.yaml',
      does: 'the file that replaces these flags',
    },
    { line: 'authgraph migrate auth.v1beta1.yaml > auth.yaml', does: 'the same file as v1' },
  ],
  operands: [0, 1],
  run: (read, io) => runMigrate(read, io),
});

const runMigrate = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values, operands } = read;
  const settings = targetSettings(read);
  const flagsGiven = oidcFlags.some(({ name }) => values.isSet(name));
  const [path] = operands;
  const problem = misuse(path, flagsGiven);
  if (problem !== undefined) return read.misuse(problem);
  const migration =
    path === undefined
      ? await (await import('../migrate-flags.ts')).migrateFlags(values, settings, io)
      : await (await import('../migrate-file.ts')).migrateFile(path, settings, io);
  return show(migration, values, io);
};

const misuse = (path: string | undefined, flagsGiven: boolean): string | undefined => {
  if (path !== undefined && flagsGiven) return 'a file and --oidc-* flags are mutually exclusive';
  return path === undefined && !flagsGiven ? 'specify a file or --oidc-* flags' : undefined;
};

const show = async (migration: Migration, values: FlagValues, io: Io): Promise<ExitCode> => {
  switch (migration.kind) {
    case 'refused': {
      const { renderText } = await import('../../diagnostics/render.ts');
      const color = wantsColor(values.string('color'), io.stderr, io);
      if (migration.report !== undefined) {
        io.stderr.write(renderText([migration.report], { color, width: io.stderr.columns }));
      }
      printError(io, migration.reason);
      return exitCodes.problems;
    }
    case 'migrated': {
      const { from, text, notes, proof } = migration;
      if (values.string('output') === 'json') {
        const data = { version: 1, from, configuration: text, notes, equalOn: proof };
        io.stdout.write(`${JSON.stringify(data, undefined, 2)}\n`);
        return exitCodes.ok;
      }
      await io.writeText('-', text);
      for (const note of notes) io.stderr.write(`note: ${note}\n`);
      if (proof !== undefined) {
        io.stderr.write(`equal on ${proof.tokens} tokens, ${proof.accepted} of them accepted\n`);
      }
      return exitCodes.ok;
    }
  }
};
