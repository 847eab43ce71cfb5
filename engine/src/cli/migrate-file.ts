/**
 * Migrates a file of an older version to v1. Only the value of `apiVersion` changes, so comments,
 * order and layout are kept, also those of an object around it. The new file must compile to the
 * same graph. For a file with `--oidc-*` flags, it returns the file that replaces them.
 */
import { hashGraph } from '../compile/artifact.ts';
import type { FlagInFile } from '../compile/flags-in-file.ts';
import { serverVersionOfImages } from '../compile/server-image.ts';
import type { ConfigVersion } from '../config/configuration.ts';
import { defaultGates } from '../model/feature-gates.ts';
import { historyOf, parseRelease, releaseName } from '../model/release.ts';
import { nodeDigest } from '../node/digest.ts';
import type { Located } from '../source/span.ts';
import { applyEdits, type TextEdit } from '../source/text-edit.ts';
import { fail } from './command.ts';
import { compileText } from './compile-text.ts';
import type { Io } from './io.ts';
import { loadSelected, reportOf } from './load-configuration.ts';
import type { Migration } from './migration.ts';
import type { CompileTarget } from './target-settings.ts';

export const migrateFile = async (
  path: string,
  { settings, isChosen }: CompileTarget,
  io: Io,
): Promise<Migration> => {
  const options = { settings, limits: 'warn' } as const;
  const loaded = await loadSelected(path, io, options);
  if (loaded.kind === 'failure') return fail(io, loaded.reason, loaded.help);
  if (loaded.kind === 'artifact') {
    return fail(io, `${path} is an artifact`, 'Specify the file that it was compiled from.');
  }
  const old = loaded.kind === 'selected' ? loaded.configuration.compile() : loaded;
  const { graph, configuration } = old.compilation;
  if (graph === undefined || configuration === undefined) {
    return {
      kind: 'refused',
      reason: 'the file has errors; fix them first',
      report: reportOf(old),
    };
  }
  const flags = loaded.kind === 'selected' ? loaded.configuration.flags : undefined;
  if (flags !== undefined) {
    return migrateFlagsOf(old.source.text, flags, { settings, isChosen }, io);
  }
  const { version } = configuration;
  if (version.value === 'v1') {
    const { text } = old.source;
    return { kind: 'migrated', from: 'v1', text, notes: ['the file is already v1'] };
  }
  const { since } = historyOf('version v1');
  if (settings.targetRelease < since) {
    return {
      kind: 'refused',
      reason: `release ${releaseName(settings.targetRelease)} does not support v1, which was introduced in ${releaseName(since)}`,
    };
  }
  const { uri, text } = old.compilation.document.source;
  const edit = versionEdit(text, version);
  if (edit === undefined || old.editOfFile === undefined) return versionNotReplaceable;
  const migrated = compileText(uri, applyEdits(text, [edit]), options);
  if (migrated.compilation.configuration?.version.value !== 'v1') return versionNotReplaceable;
  if (migrated.compilation.graph === undefined) {
    return {
      kind: 'refused',
      reason: 'this file cannot be expressed in v1',
      report: reportOf(migrated),
    };
  }
  const digest = nodeDigest();
  if (hashGraph(migrated.compilation.graph, digest) !== hashGraph(graph, digest)) {
    return { kind: 'refused', reason: 'the file would compile to a different graph as v1' };
  }
  const whole = applyEdits(old.source.text, [old.editOfFile(edit)]);
  return { kind: 'migrated', from: version.value, text: whole, notes: [] };
};

/**
 * Migrates for the release of the cluster if the image in a static pod or a kubeadm file names one that is older than
 * version v1, unless a flag or a settings file chooses a release.
 */
const migrateFlagsOf = async (
  text: string,
  flags: readonly FlagInFile[],
  { settings, isChosen }: CompileTarget,
  io: Io,
): Promise<Migration> => {
  const { migrateFlagsInFile } = await import('./migrate-flags.ts');
  const { program, written } = writtenVersion(text, flags);
  const release = parseRelease(written);
  const { since } = historyOf('version v1');
  const needsOlder = release !== undefined && release < since && settings.targetRelease >= since;
  if (!needsOlder) {
    return migrateFlagsInFile(flags, { settings, isChosen: isChosen || release !== undefined }, io);
  }
  const target = isChosen
    ? settings
    : { ...settings, targetRelease: release, featureGates: defaultGates(release) };
  const migration = await migrateFlagsInFile(flags, { settings: target, isChosen: true }, io);
  if (migration.kind === 'refused') return migration;
  const note = isChosen
    ? `${program} is ${written}, which cannot read version v1 of the file`
    : `the file is for ${program} ${written}; after an upgrade to ${releaseName(since)}, migrate it to version v1`;
  return { ...migration, notes: [...migration.notes, note] };
};

/** Returns the version in a file, such as `v1.31`, and what it is the version of. The version is empty if there is none. */
const writtenVersion = (
  text: string,
  flags: readonly FlagInFile[],
): { readonly program: string; readonly written: string } => {
  const ofImage = serverVersionOfImages(text, flags);
  if (ofImage !== undefined) return { program: 'kube-apiserver', written: ofImage };
  const [, written = ''] = /^kubernetesVersion:[ \t]*["']?(v?1\.\d+)/m.exec(text) ?? [];
  return { program: 'kubernetesVersion', written };
};

const versionNotReplaceable: Migration = {
  kind: 'refused',
  reason: 'apiVersion is not written literally; write its value without escapes or aliases first',
};

/** Replaces the version only: quotes, anchors and comments are kept. */
const versionEdit = (
  text: string,
  { span, value }: Located<ConfigVersion>,
): TextEdit | undefined => {
  const offset = text.slice(span.start, span.end).lastIndexOf(`/${value}`);
  if (offset === -1) return undefined;
  const start = span.start + offset + 1;
  return { span: { start, end: start + value.length }, newText: 'v1' };
};
