/**
 * `authgraph diff OLD NEW`: shows how a configuration change affects access: of all tokens, by examples and proofs, and
 * of given claims.
 */
import type { AuthenticatorGraph } from '../../compile/graph.ts';
import { type AccessChangeKind, accessChangeKinds } from '../../simulate/access/access-result.ts';
import type { AccessChange } from '../../simulate/difference/diff.ts';
import { painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  defineCommand,
  fail,
  oneStandardInput,
  outFlag,
  outputFlag,
  targetVersionFlag,
  writeResult,
} from '../command.ts';
import { type DiffReport, isFailure, kindsByFlag } from '../diff/diff-report.ts';
import { type DiffSides, loadSides } from '../diff/diff-sides.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { hasOidcFlags, oidcFlags } from '../oidc-flags.ts';
import { claimsDoc, readClaimsArgument, sampleName } from '../read-claims.ts';
import { sampleFiles } from '../sample-files.ts';

const twoSides = 'specify two configuration files or artifacts, or --oidc-* flags and one of them';

const kindNames = [...kindsByFlag.keys()];

export const diff = defineCommand({
  name: 'diff',
  usage: '[flags] (OLD | --oidc-issuer-url URL --oidc-client-id ID) NEW',
  about:
    'Compares the decisions of two configurations and shows who gains access, who loses it and whose identity changes: an example of each, confirmed by authenticating it with both; or a proof that there is none; or why it is undecided. OLD and NEW are files, artifacts of `authgraph compile`, ConfigMaps, files with --oidc-* flags of kube-apiserver, such as those of kubeadm, kind, k3s and RKE2, or files of a Git revision, such as HEAD:auth.yaml. Signatures and times are not checked. The decisions about samples and about the claim sets of a corpus are compared as well; their audiences are checked if one of the two configurations accepts them.',
  flags: [
    {
      name: 'claims',
      group: 'Input',
      type: 'stringArray',
      placeholder: 'FILE',
      doc: `${claimsDoc} May be repeated. Without it, the sampleFolders of .authgraph.yaml.`,
    },
    {
      name: 'corpus',
      group: 'Input',
      type: 'stringArray',
      placeholder: 'FILE',
      doc: 'File with a JSON object of claims in each line, of any length; - reads standard input. May be repeated.',
    },
    {
      name: 'fail-on',
      group: 'Output',
      type: 'stringSlice',
      placeholder: 'gain,lose,change|never',
      choices: [...kindNames, 'never'],
      default: `[${kindNames.join(',')}]`,
      doc: 'Changes that cause the exit status 1, separated by commas.',
    },
    {
      name: 'require-proof',
      group: 'Output',
      type: 'stringSlice',
      placeholder: 'gain,lose,change',
      choices: kindNames,
      default: '[]',
      doc: 'Changes that cause the exit status 1 unless it is proved that there are none, separated by commas.',
    },
    ...oidcFlags,
    { ...outputFlag, choices: ['text', 'json', 'markdown', 'html'] },
    outFlag,
    targetVersionFlag,
  ],
  examples: [
    {
      line: 'authgraph diff old.yaml new.yaml',
      does: 'an example of each change of access, or a proof that there is none',
    },
    {
      line: 'authgraph diff HEAD:auth.yaml auth.yaml --require-proof gain',
      does: 'fail unless it is proved that no one gains access by the edit',
    },
    {
      line: 'authgraph diff old.yaml new.yaml --claims jane.claims.json --claims bob.claims.yaml',
      does: 'how the change affects two people',
    },
    {
      line: 'authgraph diff origin/main:auth.yaml auth.yaml --corpus tokens.jsonl -o markdown',
      does: 'the comment for a pull request',
    },
    {
      line: 'authgraph diff kubeadm.yaml auth.yaml',
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
  const named = values.list('claims');
  const samples = named.length > 0 ? named : await sampleFiles(operands.at(-1) ?? '', io);
  const sides = await loadSides(read, io);
  const report: DiffReport = {
    names: sides.names,
    sources: sides.sources,
    comparison: await compareSides(sides),
    samples: await compareSamples(sides, samples, io),
    corpora: await compareCorpora(sides, values.list('corpus'), io),
  };
  await writeResult(await formatReport(report, read, io), read, io);
  const failOn = values.list('fail-on').filter((name) => name !== 'never');
  const isBad = isFailure(report, {
    failOn: kindsOf(failOn),
    requireProof: kindsOf(values.list('require-proof')),
  });
  return isBad ? exitCodes.problems : exitCodes.ok;
};

const misuse = ({ values, operands }: CommandArguments): string | undefined => {
  if (operands.length !== (hasOidcFlags(values) ? 1 : 2)) return twoSides;
  const inputs = [...operands, ...values.list('claims'), ...values.list('corpus')];
  if (inputs.filter((path) => path === '-').length > 1) return oneStandardInput;
  const failOn = values.list('fail-on');
  return failOn.includes('never') && failOn.length > 1
    ? '--fail-on never cannot be combined with other values'
    : undefined;
};

const kindsOf = (names: readonly string[]): readonly AccessChangeKind[] => {
  const kinds = names.map((name) => kindsByFlag.get(name));
  return accessChangeKinds.filter((kind) => kinds.includes(kind));
};

const compareSides = async ({ before, after }: DiffSides): Promise<DiffReport['comparison']> => {
  const { compareAccess } = await import('../../simulate/access/compare-access.ts');
  return compareAccess(before, after);
};

const compareSamples = async (
  sides: DiffSides,
  paths: readonly string[],
  io: Io,
): Promise<readonly AccessChange[]> => {
  const changes: AccessChange[] = [];
  if (paths.length === 0) return changes;
  const { linkComparer } = await import('../../simulate/difference/compare-claim-sets.ts');
  const { accessChange } = await import('../../simulate/difference/diff.ts');
  const compare = linkComparer(sides.before.graph, sides.after.graph);
  // Sequential, because standard input can be read only once.
  for (const path of paths) {
    const { before, after } = compare(await readClaimsArgument(path, io));
    changes.push(accessChange(sampleName(path), before, after));
  }
  return changes;
};

const compareCorpora = async (
  { before, after }: DiffSides,
  files: readonly string[],
  io: Io,
): Promise<DiffReport['corpora']> => {
  if (files.length === 0) return [];
  const { corpusReport } = await import('../diff/corpus-report.ts');
  const graphs: Readonly<Record<'before' | 'after', AuthenticatorGraph>> = {
    before: before.graph,
    after: after.graph,
  };
  const reports: DiffReport['corpora'][number][] = [];
  for (const file of files) {
    const report = await corpusReport(file, graphs, io);
    if ('reason' in report) return fail(io, report.reason, report.help);
    reports.push(report);
  }
  return reports;
};

const formatReport = async (
  report: DiffReport,
  { values }: CommandArguments,
  io: Io,
): Promise<string> => {
  switch (values.string('output')) {
    case 'json': {
      const { diffData } = await import('../diff/diff-data.ts');
      return `${JSON.stringify(diffData(report), undefined, 2)}\n`;
    }
    case 'markdown': {
      const { diffMarkdown } = await import('../diff/diff-markdown.ts');
      return diffMarkdown(report);
    }
    case 'html': {
      const { diffHtml } = await import('../diff/diff-html.ts');
      return diffHtml(report);
    }
    default: {
      const { diffText } = await import('../diff/diff-text.ts');
      const isTerminal = values.string('out') === '-';
      const color = isTerminal && wantsColor(values.string('color'), io.stdout, io);
      return diffText(report, painter(color));
    }
  }
};
