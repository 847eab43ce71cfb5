/**
 * Go to definition: from a claim to the samples that have it, from an issuer to the samples of its
 * tokens and back, from a variable to the macro that binds it, from `user.username` to its mapping.
 */
import type { CancellationToken, DefinitionParams, Location } from 'vscode-languageserver';
import type { Workspace } from '../workspace.ts';
import type { Feature } from './feature.ts';
import { symbolAt } from './symbol-at.ts';
import { closedParts, placesOf, type SymbolPlace, spansFiles } from './symbol-places.ts';

/** Returns the definitions in order of relevance. */
const definitionsAt = async (
  workspace: Workspace,
  { textDocument: { uri }, position }: DefinitionParams,
  token: CancellationToken,
): Promise<Location[]> => {
  const requested = symbolAt(workspace, uri, position);
  if (requested === undefined) return [];
  if (spansFiles(requested.symbol)) await workspace.whenSearched();
  // The document may have changed in the meantime.
  const symbolPlace = symbolAt(workspace, uri, position);
  if (symbolPlace === undefined) return [];
  const { symbol } = symbolPlace;
  if (symbol.kind !== 'issuer') return locationsOf(placesOf(workspace, symbol).filter(declares));
  // An issuer appears in configurations and in samples; each side links to the other.
  if (workspace.parts(uri).length > 0)
    return locationsOf(placesOf(workspace, symbol).filter((place) => !declares(place)));
  const { parts } = await closedParts(workspace, symbol, token);
  return locationsOf(placesOf(workspace, symbol, parts).filter(declares));
};

const declares = (place: SymbolPlace): boolean => place.declares;

const locationsOf = (places: readonly SymbolPlace[]): Location[] =>
  places.map(({ location }) => location);

export const definition: Feature = {
  capabilities: { definitionProvider: true },
  register(connection, handlers) {
    connection.onDefinition(
      handlers.guardedAsync(
        (params, token) => definitionsAt(handlers.workspace, params, token),
        [],
      ),
    );
  },
};
