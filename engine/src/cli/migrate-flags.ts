/**
 * Migrates `--oidc-*` flags to an equivalent file, with a comment about what a file cannot express.
 */
import { readOidc } from '../authenticators/jwt/config.ts';
import {
  incompleteOidc,
  type OidcArgument,
  readOidcArguments,
} from '../authenticators/jwt/oidc-arguments.ts';
import { compile } from '../compile/compile.ts';
import { flagsFileText, narrowsAlgorithms } from '../compile/flags-file.ts';
import { replacingFileText } from '../compile/flags-in-file.ts';
import type { AuthenticatorGraph } from '../compile/graph.ts';
import { type CompileSettings, signingAlgorithms } from '../compile/settings.ts';
import type { FlagValues } from '../flags/flag.ts';
import { historyOf, releaseName } from '../model/release.ts';
import { defaultServeOptions } from '../server/flags/options.ts';
import { sourceFile } from '../source/source-file.ts';
import { fail } from './command.ts';
import type { Io } from './io.ts';
import type { Migration } from './migration.ts';
import { proveEqual } from './prove-equal.ts';
import { servedConfiguration } from './served-configuration.ts';
import type { CompileTarget } from './target-settings.ts';

/** What flags configure. */
export interface FlagsGraph {
  readonly kind: 'graph';
  readonly graph: AuthenticatorGraph;
  /** The configuration that the flags stand for, as JSON. */
  readonly text: string;
  /** The algorithms that the flags allow. */
  readonly allowed: readonly string[];
}

/** Compiles the `--oidc-*` flags of a command; flags that kube-apiserver rejects end the command. */
export const graphOfFlags = async (
  values: FlagValues,
  target: CompileSettings,
  io: Io,
): Promise<FlagsGraph | Refused> => {
  const oidc = readOidc({ ...values, string: (name) => (isOidc(name) ? values.string(name) : '') });
  if (oidc === undefined) return fail(io, incompleteOidc.message, 'Set both.');
  const options = { ...defaultServeOptions(), oidc, targetRelease: target.targetRelease };
  const served = await servedConfiguration(options, io);
  if (served.kind === 'problem') {
    const [{ message, help }] = served.problems;
    return fail(io, message, help);
  }
  if (served.source.kind !== 'text') throw new Error('unreachable: flags are a text');
  const { text } = served.source;
  const compiled = compiledGraph('oidc-flags', text, served.settings);
  const allowed = served.settings.signingAlgorithms ?? signingAlgorithms;
  return compiled.kind === 'refused' ? compiled : { ...compiled, text, allowed };
};

export const migrateFlags = async (
  values: FlagValues,
  target: CompileTarget,
  io: Io,
): Promise<Migration> => {
  const byFlags = await graphOfFlags(values, target.settings, io);
  if (byFlags.kind === 'refused') return byFlags;
  const { targetRelease } = target.settings;
  const text = flagsFileText(byFlags.text, { targetRelease, allowed: byFlags.allowed });
  return migrateTo(text, byFlags, { values, target, io });
};

/**
 * Migrates the flags in another file, such as kubeadm's. Certificates are on the node and are not
 * read: a comment and a note name their file.
 */
export const migrateFlagsInFile = async (
  flags: readonly OidcArgument[],
  target: CompileTarget,
  io: Io,
): Promise<Migration> => {
  const { settings } = readOidcArguments(flags);
  const { values } = readOidcArguments(flags.filter(({ name }) => name !== 'oidc-ca-file'));
  const byFlags = await graphOfFlags(values, target.settings, io);
  if (byFlags.kind === 'refused') return byFlags;
  if (settings === undefined) throw new Error('unreachable: incomplete flags were refused');
  const text = replacingFileText(settings, target.settings.targetRelease);
  const migration = await migrateTo(text, byFlags, { values, target, io });
  if (migration.kind === 'refused' || settings.caFile === undefined) return migration;
  const note = `copy the certificates of --oidc-ca-file=${settings.caFile} to issuer.certificateAuthority in PEM format`;
  return { ...migration, notes: [...migration.notes, note] };
};

const migrateTo = async (
  text: string,
  byFlags: FlagsGraph,
  {
    target,
    ...context
  }: { readonly values: FlagValues; readonly target: CompileTarget; readonly io: Io },
): Promise<Migration> => {
  const byFile = compiledGraph('migrated.yaml', text, target.settings);
  if (byFile.kind === 'refused') return byFile;
  const { allowed } = byFlags;
  const proof = await proveEqual(byFlags.graph, byFile.graph, { allowed, ...context });
  if (proof.kind === 'different') {
    return {
      kind: 'refused',
      reason: `the flags and the file make different decisions for a token of the corpus (${proof.tokenName}): flags ${proof.first}, file ${proof.second}`,
    };
  }
  const notes = [
    ...(narrowsAlgorithms(allowed) ? [narrowNote(allowed)] : []),
    ...(target.isChosen ? [] : [releaseNote()]),
  ];
  const { tokens, accepted } = proof;
  return { kind: 'migrated', from: 'flags', text, notes, proof: { tokens, accepted } };
};

const isOidc = (name: string): boolean => name.startsWith('oidc-');

type Refused = Extract<Migration, { kind: 'refused' }>;

const compiledGraph = (
  name: string,
  text: string,
  settings: CompileSettings,
): { readonly kind: 'graph'; readonly graph: AuthenticatorGraph } | Refused => {
  const source = sourceFile(name, text);
  const { graph, diagnostics } = compile({ source, settings });
  return graph === undefined
    ? {
        kind: 'refused',
        reason: 'the flags do not configure an authenticator',
        report: { source, diagnostics },
      }
    : { kind: 'graph', graph };
};

const narrowNote = (allowed: readonly string[]): string =>
  `--oidc-signing-algs allows only ${allowed.join(', ')}; a file has no field for it and allows ${signingAlgorithms.join(', ')}, with the keys that the issuer publishes`;

/** The default release reads version v1; the cluster may be older. */
const releaseNote = (): string =>
  `version v1 of the file needs release ${releaseName(historyOf('version v1').since)}; for an older cluster, add --target-version`;
