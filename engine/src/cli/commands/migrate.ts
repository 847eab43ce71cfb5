/**
 * `authgraph migrate`: converts `--oidc-*` flags or an older file to a configuration file of
 * version v1.
 */
import { toPrintable } from '../../diagnostics/printable.ts';
import { wantsColor } from '../color.ts';
import {
  type CommandArguments,
  configFlag,
  configurationPath,
  defineCommand,
  fail,
  forceFlag,
  outFlag,
  outputFlag,
  printError,
  targetVersionFlag,
  writeResult,
} from '../command.ts';
import { failIfExisting } from '../existing-files.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import type { Migration } from '../migration.ts';
import { hasOidcFlags, oidcFlags } from '../oidc-flags.ts';
import { targetForFile, targetSettings } from '../target-settings.ts';

export const migrate = defineCommand({
  name: 'migrate',
  usage: '[flags] (FILE | --oidc-issuer-url URL --oidc-client-id ID)',
  about:
    'Prints the configuration file that is equivalent to a set of --oidc-* flags, after verifying that both make the same decision for a corpus of tokens. The flags are those of the command, or those of kube-apiserver in a kubeadm, kind, k3s or RKE2 file. Or migrates a file of an older version to v1 and retains its comments, after verifying that both compile to the same graph.',
  flags: [
    {
      ...configFlag,
      doc: 'Configuration file of an older version, or file with kube-apiserver flags.',
    },
    ...oidcFlags,
    {
      ...outputFlag,
      doc: 'Print only the file, with notes on standard error, or everything as JSON.',
    },
    {
      ...outFlag,
      doc: 'Output file; - for standard output. An existing file is overwritten only with --force.',
    },
    forceFlag,
    targetVersionFlag,
  ],
  examples: [
    {
      line: 'authgraph migrate --oidc-issuer-url https://issuer.example.com --oidc-client-id app --out migrated.yaml',
      does: 'the file that replaces these flags',
    },
    {
      line: 'authgraph migrate kubeadm.yaml --out migrated.yaml',
      does: 'the file that replaces the flags in a kubeadm file',
    },
    {
      line: 'authgraph migrate auth.v1beta1.yaml --out migrated.yaml',
      does: 'the same file as v1',
    },
  ],
  operands: [0, 1],
  mayReplaceOperand: true,
  run: (read, io) => runMigrate(read, io),
});

const runMigrate = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values, operands } = read;
  const flagsGiven = hasOidcFlags(values);
  const fileGiven = operands.length > 0 || values.isSet('config');
  const path = fileGiven ? configurationPath(read) : undefined;
  const problem = misuse(path, flagsGiven);
  if (problem !== undefined) return read.misuse(problem);
  failIfExisting([values.string('out')], 'out', read, io);
  const migration =
    path === undefined
      ? await (await import('../migrate-flags.ts')).migrateFlags(
          values,
          { settings: targetSettings(read), isChosen: values.isSet('target-version') },
          io,
        )
      : await (await import('../migrate-file.ts')).migrateFile(
          path,
          await targetForFile(read, path, io),
          io,
        );
  return show(migration, read, io);
};

const misuse = (path: string | undefined, flagsGiven: boolean): string | undefined => {
  if (path !== undefined && flagsGiven) return 'a file and --oidc-* flags are mutually exclusive';
  return path === undefined && !flagsGiven ? 'specify a file or --oidc-* flags' : undefined;
};

const show = async (migration: Migration, read: CommandArguments, io: Io): Promise<ExitCode> => {
  const { values } = read;
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
        await writeResult(`${JSON.stringify(data, undefined, 2)}\n`, read, io);
        return exitCodes.ok;
      }
      const out = values.string('out');
      const failure = await io.writeText(out, text);
      if (failure !== undefined) return fail(io, failure.reason);
      if (out !== '-') io.stderr.write(`wrote ${toPrintable(out)}\n`);
      for (const note of notes) io.stderr.write(`note: ${note}\n`);
      if (proof !== undefined) {
        io.stderr.write(`equal on ${proof.tokens} tokens, ${proof.accepted} of them accepted\n`);
      }
      return exitCodes.ok;
    }
  }
};
