/**
 * `authgraph diff OLD NEW`: shows how a configuration change affects access: of all tokens, by examples and proofs, and
 * of given claims.
 */
import { painter, wantsColor } from '../color.ts';
import {
  type CommandArguments,
  defineCommand,
  oneStandardInput,
  outFlag,
  outputFlag,
  targetVersionFlag,
  writeResult,
} from '../command.ts';
import {
  failOnChangeFlag,
  failOnChangeMisuse,
  kindsOfFlag,
  requireProofFlag,
} from '../diff/change-flags.ts';
import { type DiffReport, type FailureKinds, isFailure } from '../diff/diff-report.ts';
import { loadSides } from '../diff/diff-sides.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { hasOidcFlags, oidcFlags } from '../oidc-flags.ts';
import { claimsDoc } from '../read-claims.ts';
import { sampleFiles } from '../sample-files.ts';

const twoSides = 'specify two configuration files or artifacts, or --oidc-* flags and one of them';

export const diff = defineCommand({
  name: 'diff',
  usage: '[flags] (OLD | --oidc-issuer-url URL --oidc-client-id ID) NEW',
  about:
    'Compares the decisions of two configurations and shows who gains access, who loses it and whose identity changes: an example of each, confirmed by authenticating it with both; or a proof that there is none; or why it is undecided. OLD and NEW are files, artifacts of `authgraph compile`, ConfigMaps, files with --oidc-* kube-apiserver flags, such as kubeadm, kind, k3s and RKE2 files, or files of a Git revision, such as HEAD:auth.yaml, with the .authgraph.yaml of that revision. Two folders, such as HEAD:clusters and clusters, are compared by path. Signatures and times are not checked. The decisions about samples and about the claim sets of a corpus are compared as well; their audiences are checked if one of the two configurations accepts them.',
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
    failOnChangeFlag,
    requireProofFlag,
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
      line: 'authgraph diff HEAD:clusters clusters',
      does: 'every configuration of a folder, by path',
    },
    {
      line: 'authgraph diff kubeadm.yaml auth.yaml',
      does: 'whether a file replaces the --oidc-* flags in a kubeadm file',
    },
  ],
  operands: [1, 2],
  readsBelow: () => true,
  missing: twoSides,
  run: (read, io) => runDiff(read, io),
});

const runDiff = async (read: CommandArguments, io: Io): Promise<ExitCode> => {
  const problem = misuse(read);
  if (problem !== undefined) return read.misuse(problem);
  const { values, operands } = read;
  const failureKinds: FailureKinds = {
    failOn: kindsOfFlag(values.list('fail-on')),
    requireProof: kindsOfFlag(values.list('require-proof')),
  };
  if (!hasOidcFlags(values)) {
    const { diffFolders, openFolders } = await import('../diff/diff-folders.ts');
    const folders = await openFolders(operands, io);
    if (folders !== undefined) {
      const unusable = folderMisuse(read);
      return unusable === undefined
        ? diffFolders(folders, read, { io, failureKinds })
        : read.misuse(unusable);
    }
  }
  const named = values.list('claims');
  const samples = named.length > 0 ? named : await sampleFiles(operands.at(-1) ?? '', io);
  const sides = await loadSides(read, io);
  const { createDiffReport } = await import('../diff/create-diff-report.ts');
  const report = await createDiffReport(sides, {
    samples,
    corpora: values.list('corpus'),
    io,
  });
  await writeResult(await formatReport(report, failureKinds, { read, io }), read, io);
  return isFailure(report, failureKinds) ? exitCodes.problems : exitCodes.ok;
};

const misuse = ({ values, operands }: CommandArguments): string | undefined => {
  if (operands.length !== (hasOidcFlags(values) ? 1 : 2)) return twoSides;
  const inputs = [...operands, ...values.list('claims'), ...values.list('corpus')];
  if (inputs.filter((path) => path === '-').length > 1) return oneStandardInput;
  return failOnChangeMisuse('fail-on', values.list('fail-on'));
};

/** Returns which flag cannot be used with folders. */
const folderMisuse = ({ values }: CommandArguments): string | undefined => {
  if (values.list('corpus').length > 0) return '--corpus compares two files, not two folders';
  return values.string('output') === 'html'
    ? '--output html compares two files, not two folders'
    : undefined;
};

const formatReport = async (
  report: DiffReport,
  failureKinds: FailureKinds,
  { read: { values }, io }: { readonly read: CommandArguments; readonly io: Io },
): Promise<string> => {
  switch (values.string('output')) {
    case 'json': {
      const { diffData } = await import('../diff/diff-data.ts');
      return `${JSON.stringify(diffData(report), undefined, 2)}\n`;
    }
    case 'markdown': {
      const { diffMarkdown } = await import('../diff/diff-markdown.ts');
      return diffMarkdown(report, failureKinds);
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
