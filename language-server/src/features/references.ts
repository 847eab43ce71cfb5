/** Find references: every place that names a claim, an issuer, a variable or a part of the identity. */
import type { Location, Position } from 'vscode-languageserver';
import type { Workspace } from '../workspace.ts';
import type { Feature } from './feature.ts';
import { symbolAt } from './symbol-at.ts';
import { placesOf } from './symbol-places.ts';

const referencesAt = (
  workspace: Workspace,
  uri: string,
  asked: { readonly position: Position; readonly includeDeclaration: boolean },
): readonly Location[] => {
  const found = symbolAt(workspace, uri, asked.position);
  if (found === undefined) return [];
  return placesOf(workspace, found.symbol)
    .filter(({ declares }) => asked.includeDeclaration || !declares)
    .map(({ location }) => location);
};

export const references: Feature = {
  capabilities: { referencesProvider: true },
  register(connection, answering) {
    connection.onReferences(
      answering.guarded(
        ({ textDocument, position, context: { includeDeclaration } }) => [
          ...referencesAt(answering.workspace, textDocument.uri, { position, includeDeclaration }),
        ],
        [],
      ),
    );
  },
};
