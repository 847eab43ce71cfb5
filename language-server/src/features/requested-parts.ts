/** The configurations that a question is about, or why there is none. */
import { lacksConfiguration, problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';

export interface AskedParts {
  readonly parts: readonly ConfigurationPart[];
  /** Why there is none. */
  readonly problem?: string;
}

/** Waits until the document is analyzed. */
export const askedParts = async (workspace: Workspace, uri: string): Promise<AskedParts> => {
  await workspace.analyzed(uri);
  const parts = workspace.parts(uri);
  if (parts.length > 0) return { parts };
  const isStopped = workspace.stopped(uri) !== undefined;
  return { parts, problem: isStopped ? problems.notAnalyzed : lacksConfiguration(uri) };
};
