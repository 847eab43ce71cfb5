/**
 * Migrates `--oidc-*` flags to an equivalent file, with a comment about what a file cannot express.
 */
import { readOidc } from '../authenticators/jwt/config.ts';
import { compile } from '../compile/compile.ts';
import { flagsFileText, narrowsAlgorithms } from '../compile/flags-file.ts';
import type { AuthenticatorGraph } from '../compile/graph.ts';
import { type CompileSettings, signingAlgorithms } from '../compile/settings.ts';
import type { FlagValues } from '../flags/flag.ts';
import { defaultServeOptions } from '../server/flags/options.ts';
import { sourceFile } from '../source/source-file.ts';
import { fail } from './command.ts';
import type { Io } from './io.ts';
import type { Migration } from './migration.ts';
import { proveEqual } from './prove-equal.ts';
import { servedConfiguration } from './served-configuration.ts';

export const migrateFlags = async (
  values: FlagValues,
  target: CompileSettings,
  io: Io,
): Promise<Migration> => {
  const oidc = readOidc({ ...values, string: (name) => (isOidc(name) ? values.string(name) : '') });
  if (oidc === undefined) {
    return fail(
      io,
      'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
      'Set both.',
    );
  }
  const options = { ...defaultServeOptions(), oidc, targetRelease: target.targetRelease };
  const served = await servedConfiguration(options, io);
  if (served.kind === 'problem') {
    const [{ message, help }] = served.problems;
    return fail(io, message, help);
  }
  if (served.source.kind !== 'text') throw new Error('unreachable: flags are a text');
  const flagText = served.source.text;
  const byFlags = compiled('oidc-flags', flagText, served.settings);
  if (byFlags.kind === 'refused') return byFlags;

  const allowed = served.settings.signingAlgorithms ?? signingAlgorithms;
  const text = flagsFileText(flagText, { targetRelease: target.targetRelease, allowed });
  const byFile = compiled('migrated.yaml', text, target);
  if (byFile.kind === 'refused') return byFile;

  const proof = await proveEqual(byFlags.graph, byFile.graph, { allowed, values, io });
  if (proof.kind === 'different') {
    return {
      kind: 'refused',
      reason: `the flags and the file make different decisions for a token of the corpus (${proof.tokenName}): flags ${proof.first}, file ${proof.second}`,
    };
  }
  const notes = narrowsAlgorithms(allowed) ? [narrowNote(allowed)] : [];
  const { tokens, accepted } = proof;
  return { kind: 'migrated', from: 'flags', text, notes, proof: { tokens, accepted } };
};

const isOidc = (name: string): boolean => name.startsWith('oidc-');

type Compiled =
  | { readonly kind: 'graph'; readonly graph: AuthenticatorGraph }
  | Extract<Migration, { kind: 'refused' }>;

const compiled = (name: string, text: string, settings: CompileSettings): Compiled => {
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
