/** The configurations that a request is about. */
import { missingConfiguration, problems } from '../unavailable-reasons.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';

export interface RequestedParts {
  readonly parts: readonly ConfigurationPart[];
  /** Why there are none. */
  readonly problem?: string;
}

/** Returns the configurations once the document has been analyzed. */
export const requestedParts = async (
  workspace: Workspace,
  uri: string,
): Promise<RequestedParts> => {
  await workspace.whenAnalyzed(uri);
  const parts = workspace.parts(uri);
  if (parts.length > 0) return { parts };
  const isStopped = workspace.stopReason(uri) !== undefined;
  return { parts, problem: isStopped ? problems.notAnalyzed : missingConfiguration(uri) };
};
