/** `authgraph diff OLD NEW --claims …`: shows how a configuration change affects sample claims. */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import { type DecidedSide, heldToAudience } from '../../simulate/difference/audience-change.ts';
import {
  type AccessChange,
  accessChange,
  changeSummary,
  lockOutOf,
} from '../../simulate/difference/diff.ts';
import { nodeOfClaims } from '../../simulate/whoami/claims-decision.ts';
import { whoamiClaims } from '../../simulate/whoami/whoami-claims.ts';
import { type Paint, painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  defineCommand,
  oneStandardInput,
  outputFlag,
  targetVersionFlag,
} from '../command.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { loadGraph } from '../load-graph.ts';
import { readClaimsFile, sampleName } from '../read-claims.ts';

export const diff = defineCommand({
  name: 'diff',
  usage: '[flags] OLD NEW --claims FILE',
  about:
    'Compares the decisions of two configurations or artifacts about sample claims and shows who gains access, who loses it and whose identity changes. Signatures and times are not checked; audiences are checked if one of the two configurations accepts them.',
  flags: [
    {
      name: 'claims',
      group: 'Input',
      type: 'stringArray',
      placeholder: 'FILE',
      doc: 'Claims file: a JSON object, or YAML if its name ends in .yaml or .yml; may be repeated.',
    },
    {
      name: 'fail-on',
      group: 'Output',
      choices: ['any', 'loses', 'never'],
      doc: 'Which changes cause the exit status 1.',
    },
    outputFlag,
    targetVersionFlag,
  ],
  examples: [
    {
      line: 'authgraph diff old.yaml new.yaml --claims jane.claims.json --claims bob.claims.yaml',
      does: 'how the change affects two people',
    },
    {
      line: 'git show HEAD:auth.yaml | authgraph diff - auth.yaml --claims jane.claims.json',
      does: 'what the working copy changes',
    },
  ],
  operands: [2, 2],
  missing: 'specify two configuration files or artifacts',
  run: (read, io) => runDiff(read, io),
});

const runDiff = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const problem = misuse(read);
  if (problem !== undefined) return read.misuse(problem);
  const { values, operands } = read;
  // Sequential, because standard input can be read only once.
  const before = await loadGraph(read, operands[0] ?? '', io);
  const after = await loadGraph(read, operands[1] ?? '', io);
  const changes = await changesOf([before.graph, after.graph], read, io);
  io.stdout.write(
    values.string('output') === 'json'
      ? `${JSON.stringify(diffData(changes), undefined, 2)}\n`
      : diffText(changes, painter(wantsColor(values.string('color'), io.stdout, io))),
  );
  return isBad(changes, values.string('fail-on')) ? exitCodes.problems : exitCodes.ok;
};

const misuse = ({ values, operands }: CommandArguments): string | undefined => {
  const claims = values.list('claims');
  if (claims.length === 0) return 'specify sample claims with --claims FILE';
  const fromStdin = [...operands, ...claims].filter((path) => path === '-');
  return fromStdin.length > 1 ? oneStandardInput : undefined;
};

const changesOf = async (
  [before, after]: readonly [AuthenticatorGraph, AuthenticatorGraph],
  { values }: CommandArguments,
  io: Io,
): Promise<readonly AccessChange[]> => {
  const changes: AccessChange[] = [];
  for (const path of values.list('claims')) {
    const claims = await readClaimsFile(path, io);
    const decide = (graph: AuthenticatorGraph): DecidedSide => ({
      decision: whoamiClaims(graph, claims, { mode: 'product', explain: false, now: 0 }).decision,
      node: nodeOfClaims(graph.nodes, claims),
    });
    const [was, is] = heldToAudience(claims, decide(before), decide(after));
    changes.push(accessChange(sampleName(path), was, is));
  }
  return changes;
};

const isBad = (changes: readonly AccessChange[], failOn: string): boolean => {
  if (failOn === 'never') return false;
  return changes.some(({ kind }) => (failOn === 'loses' ? kind === 'loses' : kind !== 'same'));
};

const marks = { gains: ['+', 'green'], loses: ['-', 'red'], changes: ['~', 'yellow'] } as const;

const diffText = (changes: readonly AccessChange[], paint: Paint): string => {
  const lines = changes.flatMap(({ kind, before, after, details }) => {
    if (kind === 'same') return [];
    const [mark, color] = marks[kind];
    return [
      `${paint(color, `${mark} ${kind}`)}  ${toPrintable(after)}`,
      paint('dim', `    before: ${toPrintable(before)}`),
      ...details.map((detail) => `    ${toPrintable(detail)}`),
    ];
  });
  const lockOut = lockOutOf(changes);
  if (lockOut !== undefined) lines.push(paint('red', lockOut));
  lines.push(changeSummary(changes));
  return lines.map((line) => `${line}\n`).join('');
};

/** Incremented when the format changes incompatibly. */
const diffVersion = 1;

const diffData = (changes: readonly AccessChange[]): object => {
  const lockOut = lockOutOf(changes);
  return {
    version: diffVersion,
    summary: changeSummary(changes),
    ...(lockOut === undefined ? {} : { lockOut }),
    samples: changes.map(({ name, kind, before, after, details }) => ({
      name,
      kind,
      before,
      after,
      details,
    })),
  };
};
