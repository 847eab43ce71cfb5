/** Why a file has no preview: its errors, or that it is not looked into. */
import { DiagnosticSeverity, languages, workspace } from 'vscode';
import type { Model } from '../model.ts';

/** `undefined` where the file is not the reason. */
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
    return `${file} has errors and is not previewed: mend them first, they stand under Problems`;
  }
  // One that is too large has a warning that says so.
  const [first] = diagnostics;
  return first && `${file} is not previewed: ${first.message}`;
};
