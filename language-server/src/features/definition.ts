/**
 * Go to definition: from a claim to the samples that have it, from an issuer to the samples of its
 * tokens and back, from a variable to the macro that binds it, from `user.username` to its mapping.
 */
import type { Location, Position } from 'vscode-languageserver';
import type { Workspace } from '../workspace.ts';
import type { Feature } from './feature.ts';
import { symbolAt } from './symbol-at.ts';
import { placesOf, type SymbolPlace } from './symbol-places.ts';

/** In the order in which a person would want them; the place itself where nothing else is known. */
const definitionsAt = (
  workspace: Workspace,
  uri: string,
  position: Position,
): readonly Location[] => {
  const found = symbolAt(workspace, uri, position);
  if (found === undefined) return [];
  const { symbol } = found;
  const places = placesOf(workspace, symbol);
  // An issuer is named on both sides, and each is where the other wants to go.
  const wanted =
    symbol.kind === 'issuer'
      ? acrossFrom(places, workspace.parts(uri).length > 0)
      : places.filter(({ declares }) => declares);
  return wanted.map(({ location }) => location);
};

const acrossFrom = (
  places: readonly SymbolPlace[],
  fromConfiguration: boolean,
): readonly SymbolPlace[] => places.filter(({ declares }) => declares !== fromConfiguration);

export const definition: Feature = {
  capabilities: { definitionProvider: true },
  register(connection, answering) {
    connection.onDefinition(
      answering.guarded(
        ({ textDocument, position }) => [
          ...definitionsAt(answering.workspace, textDocument.uri, position),
        ],
        [],
      ),
    );
  },
};
