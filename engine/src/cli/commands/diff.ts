/**
 * `authgraph diff OLD NEW`: shows how a configuration change affects access: of samples, and of all
 * tokens, by examples and proofs.
 */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { toPrintable } from '../../diagnostics/printable.ts';
import {
  type AccessChangeKind,
  type AccessComparison,
  accessChangeKinds,
} from '../../simulate/access/access-result.ts';
import type { AccessSide } from '../../simulate/access/compare-access.ts';
import { type DecidedSide, heldToAudience } from '../../simulate/difference/audience-change.ts';
import {
  type AccessChange,
  accessChange,
  changeSummary,
  lockOutOf,
} from '../../simulate/difference/diff.ts';
import { nodeOfClaims } from '../../simulate/whoami/claims-decision.ts';
import { whoamiClaims } from '../../simulate/whoami/whoami-claims.ts';
import type { SourceFile } from '../../source/source-file.ts';
import type { SourcesOfSides } from '../access-text.ts';
import { type Paint, painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  defineCommand,
  fail,
  oneStandardInput,
  outputFlag,
  targetVersionFlag,
} from '../command.ts';
import { comparisonData, comparisonText } from '../comparison-output.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { type LoadedGraph, loadGraph } from '../load-graph.ts';
import { hasOidcFlags, oidcFlags } from '../oidc-flags.ts';
import { claimsDoc, readClaimsArgument, sampleName } from '../read-claims.ts';
import { sampleFiles } from '../sample-files.ts';
import { targetSettings } from '../target-settings.ts';

const twoSides = 'specify two configuration files or artifacts, or --oidc-* flags and one of them';

export const diff = defineCommand({
  name: 'diff',
  usage: '[flags] (OLD | --oidc-issuer-url URL --oidc-client-id ID) NEW [--claims FILE]',
  about:
    'Compares the decisions of two configurations or artifacts and shows who gains access, who loses it and whose identity changes. With sample claims it compares the decisions about them. Without samples, or with --prove, it looks for a token whose decision differs, or proves that there is none; each example is confirmed by authenticating it with both. --oidc-* flags of kube-apiserver can replace the old configuration, on the command line or in a file of kubeadm, kind, k3s or RKE2. Signatures and times are not checked; audiences are checked if one of the two configurations accepts them.',
  flags: [
    {
      name: 'claims',
      group: 'Input',
      type: 'stringArray',
      placeholder: 'FILE',
      doc: `${claimsDoc} May be repeated. Without it, the sampleFolders of .authgraph.yaml.`,
    },
    {
      name: 'prove',
      group: 'Input',
      type: 'bool',
      doc: 'Compare the decisions about all tokens in addition to the samples.',
    },
    {
      name: 'fail-on',
      group: 'Output',
      choices: ['any', 'gains', 'loses', 'never'],
      doc: 'Which changes cause the exit status 1. gains: access, a group or an extra value is gained, or a username or UID is another one; loses: access is lost.',
    },
    {
      name: 'require-proof',
      group: 'Output',
      type: 'bool',
      doc: 'Exit with 1, too, if it is undecided whether there is such a change.',
    },
    ...oidcFlags,
    outputFlag,
    targetVersionFlag,
  ],
  examples: [
    {
      line: 'authgraph diff old.yaml new.yaml',
      does: 'an example of each change of access, or a proof that there is none',
    },
    {
      line: 'authgraph diff old.yaml new.yaml --claims jane.claims.json --claims bob.claims.yaml',
      does: 'how the change affects two people',
    },
    {
      line: 'git show HEAD:auth.yaml | authgraph diff - auth.yaml --claims jane.claims.json',
      does: 'what the working copy changes',
    },
    {
      line: 'authgraph diff kubeadm.yaml auth.yaml --claims jane.claims.json',
      does: 'whether a file replaces the --oidc-* flags in a file of kubeadm',
    },
  ],
  operands: [1, 2],
  missing: twoSides,
  run: (read, io) => runDiff(read, io),
});

const runDiff = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const problem = misuse(read);
  if (problem !== undefined) return read.misuse(problem);
  const { values, operands } = read;
  const [first = '', second = first] = operands;
  const named = values.list('claims');
  const samples = named.length > 0 ? named : await sampleFiles(second, io);
  // Sequential, because standard input can be read only once.
  const before = hasOidcFlags(values)
    ? { graph: await flagsSide(read, io) }
    : await loadSide(read, first, io);
  const after = await loadSide(read, second, io);
  const changes = await changesOf([before.graph, after.graph], samples, io);
  const comparison =
    samples.length === 0 || values.bool('prove') ? await compareSides(before, after) : undefined;
  const sources = { before: sourceOf(before), after: sourceOf(after) };
  const paint = painter(wantsColor(values.string('color'), io.stdout, io));
  const isJson = values.string('output') === 'json';
  io.stdout.write(
    isJson
      ? `${JSON.stringify(diffData(changes, comparison, sources), undefined, 2)}\n`
      : (samples.length === 0 ? '' : diffText(changes, paint)) +
          (comparison === undefined ? '' : comparisonText(comparison, { sources, paint })),
  );
  const failOn = values.string('fail-on');
  const isChanged =
    isBad(changes, failOn) ||
    (comparison !== undefined && isUnwanted(comparison, failOn, values.bool('require-proof')));
  return isChanged ? exitCodes.problems : exitCodes.ok;
};

/** A configuration, or the graph of flags, which has no file. */
type Side = Pick<LoadedGraph, 'graph'> & Partial<Pick<LoadedGraph, 'loaded'>>;

const compareSides = async (before: Side, after: Side): Promise<AccessComparison> => {
  const { compareAccess } = await import('../../simulate/access/compare-access.ts');
  return compareAccess(accessSide(before), accessSide(after));
};

const accessSide = ({ graph, loaded }: Side): AccessSide =>
  loaded?.kind === 'compiled' ? { graph, origins: loaded.compilation.origins } : { graph };

const sourceOf = ({ loaded }: Side): SourceFile | undefined =>
  loaded?.kind === 'compiled' ? loaded.source : undefined;

/** Returns whether a change was found that is to fail, or may exist and is to be ruled out. */
const isUnwanted = (
  { verdicts }: AccessComparison,
  failOn: string,
  requiresProof: boolean,
): boolean =>
  (failingKinds.get(failOn) ?? []).some(
    (kind) =>
      verdicts[kind].kind === 'found' || (requiresProof && verdicts[kind].kind === 'undecided'),
  );

/** A changed identity may be one that has more permissions. */
const failingKinds: ReadonlyMap<string, readonly AccessChangeKind[]> = new Map([
  ['any', accessChangeKinds],
  ['gains', ['gained', 'changed']],
  ['loses', ['lost']],
]);

/** Loads a configuration; one with errors is a failure, because the exit code 1 means a change. */
const loadSide = (read: CommandArguments, path: string, io: Io): Promise<LoadedGraph> =>
  loadGraph(read, path, io, exitCodes.failed);

/** Compiles the flags of the command; errors in their values are printed. */
const flagsSide = async (read: CommandArguments, io: Io): Promise<AuthenticatorGraph> => {
  const { graphOfFlags } = await import('../migrate-flags.ts');
  const compiled = await graphOfFlags(read.values, targetSettings(read), io);
  if (compiled.kind === 'graph') return compiled.graph;
  const { renderText } = await import('../../diagnostics/render.ts');
  const color = wantsColor(read.values.string('color'), io.stderr, io);
  if (compiled.report !== undefined)
    io.stderr.write(renderText([compiled.report], { color, width: io.stderr.columns }));
  return fail(io, compiled.reason);
};

const misuse = ({ values, operands }: CommandArguments): string | undefined => {
  if (operands.length !== (hasOidcFlags(values) ? 1 : 2)) return twoSides;
  const claims = values.list('claims');
  const fromStdin = [...operands, ...claims].filter((path) => path === '-');
  return fromStdin.length > 1 ? oneStandardInput : undefined;
};

const changesOf = async (
  [before, after]: readonly [AuthenticatorGraph, AuthenticatorGraph],
  samples: readonly string[],
  io: Io,
): Promise<readonly AccessChange[]> => {
  const changes: AccessChange[] = [];
  for (const path of samples) {
    const claims = await readClaimsArgument(path, io);
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
  switch (failOn) {
    case 'never':
      return false;
    case 'gains':
      return changes.some(({ isGain }) => isGain);
    case 'loses':
      return changes.some(({ kind }) => kind === 'loses');
    default:
      return changes.some(({ kind }) => kind !== 'same');
  }
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
const diffVersion = 2;

const diffData = (
  changes: readonly AccessChange[],
  comparison: AccessComparison | undefined,
  sources: SourcesOfSides,
): object => {
  const lockOut = lockOutOf(changes);
  return {
    version: diffVersion,
    ...(changes.length === 0 ? {} : { summary: changeSummary(changes) }),
    ...(comparison === undefined ? {} : comparisonData(comparison, sources)),
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
