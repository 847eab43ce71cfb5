/**
 * Manual pages in the `man` macros, from the descriptions that the help shows. They are part of the
 * package; npm installs those that the field `man` of package.json lists.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodeHelp } from '../engine/src/cli/exit-codes.ts';
import {
  type CommandDescription,
  flagText,
  flagTitle,
  headingsOf,
} from '../engine/src/cli/help.ts';
import { commands } from '../engine/src/cli/run.ts';
import type { FlagRow } from '../engine/src/flags/flag.ts';
import { productVersion } from '../engine/src/model/product-version.ts';

/** Writes all pages to a folder, which is emptied first. */
export const writeManPages = async (folder: string): Promise<void> => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const write = (name: string, text: string): void =>
    writeFileSync(join(folder, `${name}.1`), text);
  write(manPageName(), programManPage(commands));
  for (const { name, summary, load } of commands)
    write(manPageName(name), commandManPage(await load(), summary));
};

interface ListedCommand {
  readonly name: string;
  readonly summary: string;
}

/** Returns the name of the page of a command, or of the program: `authgraph-check`. */
export const manPageName = (command = ''): string =>
  `authgraph ${command}`.trim().replaceAll(' ', '-');

/** Returns the page of the program, which lists the commands. */
export const programManPage = (commands: readonly ListedCommand[]): string =>
  page(manPageName(), 'authenticate requests like kube-apiserver', [
    ...section('SYNOPSIS', ['.B authgraph', text('COMMAND [flags] [arguments]')]),
    ...section('DESCRIPTION', [
      text(
        'AuthGraph compiles the AuthenticationConfiguration of kube-apiserver and authenticates requests with it: in a server and on the command line.',
      ),
    ]),
    ...section(
      'COMMANDS',
      commands.flatMap(({ name, summary }) => [
        '.TP',
        `.BR ${escaped(manPageName(name))} (1)`,
        text(summary),
      ]),
    ),
    ...exitStatus,
  ]);

/** Returns the page of a command. */
export const commandManPage = (command: CommandDescription, summary: string): string =>
  page(manPageName(command.name), summary, [
    ...section('SYNOPSIS', [`.B authgraph ${escaped(command.name)}`, text(command.usage)]),
    ...section('DESCRIPTION', [text(command.about)]),
    ...section(
      'OPTIONS',
      headingsOf(command.flags).flatMap((heading) => [
        `.SS ${escaped(heading)}`,
        ...command.flags.filter(({ group }) => group === heading).flatMap(flagLines),
      ]),
    ),
    ...section(
      'EXAMPLES',
      command.examples.flatMap(({ line, does }, index) => [
        ...(index === 0 ? [] : ['.PP']),
        text(`${does}:`),
        ...['.PP', '.RS 4', '.nf', text(line), '.fi', '.RE'],
      ]),
    ),
    ...exitStatus,
    ...section('SEE ALSO', [`.BR ${manPageName()} (1)`]),
  ]);

const page = (name: string, summary: string, lines: readonly string[]): string =>
  [
    `.TH ${escaped(name.toUpperCase())} 1 "" "authgraph ${productVersion}" "AuthGraph"`,
    ...section('NAME', [`${escaped(name)} \\- ${escaped(summary)}`]),
    ...lines,
    '',
  ].join('\n');

const section = (heading: string, lines: readonly string[]): readonly string[] => [
  `.SH ${heading}`,
  ...lines,
];

const flagLines = (row: FlagRow): readonly string[] => [
  '.TP',
  `.B ${escaped(flagTitle(row))}`,
  text(flagText(row)),
];

/** Escapes a text for the middle of a line: a plain `-` may become a typographic one. */
const escaped = (raw: string): string =>
  raw
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('"', '\\(dq')
    .replaceAll(
      /[^ -~]/gu,
      (character) =>
        `\\[u${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );

/** Escapes a text for a line of its own, which must not be a request. */
const text = (raw: string): string => `\\&${escaped(raw)}`;

const exitStatus = section(
  'EXIT STATUS',
  exitCodeHelp.flatMap(([code, meaning]) => ['.TP', `.B ${code}`, text(meaning)]),
);
