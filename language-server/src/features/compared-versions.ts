/** The two versions of a document that a request compares. */
import type { ConfigurationName } from '../protocol.ts';
import { problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import { configurationNames } from './configuration-names.ts';
import { pairVersions, type Versions } from './pair-versions.ts';
import { requestedParts } from './requested-parts.ts';

export interface ComparedVersions {
  readonly before: readonly ConfigurationPart[];
  readonly after: readonly ConfigurationPart[];
  /** The configurations of both, removed ones last. */
  readonly pairs: readonly Versions[];
  /** One name per pair. */
  readonly names: readonly ConfigurationName[];
}

/** Compares the open text with `against` or the saved file; returns a message if that is impossible. */
export const comparedVersions = async (
  workspace: Workspace,
  { uri, against }: { readonly uri: string; readonly against?: string | undefined },
): Promise<ComparedVersions | string> => {
  if (uri === '') return problems.noneOpen;
  const text = against ?? (await workspace.savedText(uri));
  if (text === undefined) return problems.notSaved;
  const { parts: after, problem } = await requestedParts(workspace, uri);
  if (problem === problems.notAnalyzed) return problem;
  const before = await workspace.partsOfComparedText(uri, text);
  if (before === 'stopped') return problems.otherNotAnalyzed;
  if (before.length === 0 && problem !== undefined) return problem;
  const pairs = pairVersions(before, after);
  const names = configurationNames(
    pairs.map((pair) => ({ name: (pair.after ?? pair.before)?.name })),
  );
  return { before, after, pairs, names };
};
