/** Diagnostics of the `--oidc-*` flags of kube-apiserver in files of kubeadm, kind, k3s and RKE2. */
import { checkOidcFlags, settingsFor, sourceFile, wholeText } from '@authgraph/engine/language';
import type { Diagnostic } from 'vscode-languageserver';
import { targetReleaseOf } from './editor-options.ts';
import { limits } from './limits.ts';
import { diagnosticOf, placesIn } from './to-protocol.ts';
import type { Workspace } from './workspace.ts';

/** Returns none for a document that is not open or too long to be analyzed. */
export const flagDiagnostics = (workspace: Workspace, uri: string): readonly Diagnostic[] => {
  const text = workspace.text(uri);
  if (text === undefined || text.length > limits.documentLength) return [];
  const file = sourceFile(uri, text);
  const settings = settingsFor(targetReleaseOf(workspace.optionsOf(uri)));
  const checked = checkOidcFlags(file, { settings, now: workspace.now() });
  const places = placesIn(file, wholeText(file));
  return checked.flatMap(({ diagnostics }) =>
    workspace
      .asReported(uri, diagnostics)
      .map((diagnostic) => diagnosticOf(diagnostic, { uri, places })),
  );
};
