/** Explains why a file has no preview: errors, or its size. */
import { DiagnosticSeverity, languages, workspace } from 'vscode';
import type { Model } from '../model.ts';

/** Returns `undefined` if the file is not the reason. */
export const previewUnavailableReason = ({
  configuration,
  samples,
}: Pick<Model, 'configuration' | 'samples'>): string | undefined => {
  if (configuration === undefined || samples.length === 0) return undefined;
  const file = workspace.asRelativePath(configuration.uri);
  const diagnostics = languages
    .getDiagnostics(configuration.uri)
    .filter(({ source }) => source === 'authgraph');
  if (diagnostics.some(({ severity }) => severity === DiagnosticSeverity.Error)) {
    return `${file} has errors and can't be previewed: fix the ones listed in Problems first`;
  }
  // A file that is too large has a warning that explains it.
  const [first] = diagnostics;
  return first && `${file} can't be previewed: ${first.message}`;
};
