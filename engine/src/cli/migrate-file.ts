/**
 * Migrates a file of an older version to v1. Only the value of `apiVersion` changes, so comments,
 * order and layout are kept. The new file must compile to the same graph.
 */
import { hashGraph } from '../compile/artifact.ts';
import type { CompileSettings } from '../compile/settings.ts';
import type { ConfigVersion } from '../config/configuration.ts';
import { historyOf, releaseName } from '../model/release.ts';
import { nodeDigest } from '../node/digest.ts';
import type { Located } from '../source/span.ts';
import { applyEdits } from '../source/text-edit.ts';
import { fail } from './command.ts';
import type { Io } from './io.ts';
import { loadConfiguration, loadText, reportOf } from './load-configuration.ts';
import type { Migration } from './migration.ts';

export const migrateFile = async (
  path: string,
  settings: CompileSettings,
  io: Io,
): Promise<Migration> => {
  const options = { settings, limits: 'warn' } as const;
  const old = await loadConfiguration(path, io, options);
  if (old.kind === 'failure') return fail(io, old.reason);
  if (old.kind === 'artifact') {
    return fail(io, `${path} is an artifact`, 'Specify the file that it was compiled from.');
  }
  const { graph, configuration } = old.compilation;
  if (graph === undefined || configuration === undefined) {
    return {
      kind: 'refused',
      reason: 'the file has errors; fix them first',
      report: reportOf(old),
    };
  }
  const { version } = configuration;
  const { text } = old.source;
  if (version.value === 'v1') {
    return { kind: 'migrated', from: 'v1', text, notes: ['the file is already v1'] };
  }
  const { since } = historyOf('version v1');
  if (settings.targetRelease < since) {
    return {
      kind: 'refused',
      reason: `release ${releaseName(settings.targetRelease)} does not support v1, which was introduced in ${releaseName(since)}`,
    };
  }
  const edited = withVersion(text, version);
  const migrated = await loadText(path === '-' ? 'standard-input' : path, edited, options);
  if (migrated.kind !== 'compiled') return versionNotReplaceable;
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
  return { kind: 'migrated', from: version.value, text: edited, notes: [] };
};

const versionNotReplaceable: Migration = {
  kind: 'refused',
  reason: 'apiVersion is not written literally; write its value without escapes or aliases first',
};

/** Replaces the version only: quotes, anchors and comments are kept. */
const withVersion = (text: string, { span, value }: Located<ConfigVersion>): string => {
  const offset = text.slice(span.start, span.end).lastIndexOf(`/${value}`);
  if (offset === -1) return text;
  const start = span.start + offset + 1;
  return applyEdits(text, [{ span: { start, end: start + value.length }, newText: 'v1' }]);
};
