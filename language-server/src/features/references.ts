/** Find references: every place that names a claim, an issuer, a variable or a part of the user. */
import type { CancellationToken, Location, ReferenceParams } from 'vscode-languageserver';
import type { Workspace } from '../workspace.ts';
import type { Feature } from './feature.ts';
import { symbolAt } from './symbol-at.ts';
import { closedParts, placesOf, spansFiles } from './symbol-places.ts';

const referencesAt = async (
  workspace: Workspace,
  { textDocument: { uri }, position, context }: ReferenceParams,
  token: CancellationToken,
): Promise<Location[]> => {
  const requested = symbolAt(workspace, uri, position);
  if (requested === undefined) return [];
  if (spansFiles(requested.symbol)) await workspace.whenSearched();
  const { parts } = await closedParts(workspace, requested.symbol, token);
  // The document may have changed in the meantime.
  const symbolPlace = symbolAt(workspace, uri, position);
  if (symbolPlace === undefined) return [];
  return placesOf(workspace, symbolPlace.symbol, parts)
    .filter(({ declares }) => context.includeDeclaration || !declares)
    .map(({ location }) => location);
};

export const references: Feature = {
  capabilities: { referencesProvider: true },
  register(connection, handlers) {
    const { workspace } = handlers;
    connection.onReferences(
      handlers.guardedAsync((params, token) => referencesAt(workspace, params, token), []),
    );
  },
};
