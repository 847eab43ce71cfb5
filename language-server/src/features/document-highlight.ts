/** Highlights the other places in the document that name the symbol at the cursor. */
import {
  type DocumentHighlight,
  DocumentHighlightKind,
  type Position,
} from 'vscode-languageserver';
import { canonicalUri } from '../folders.ts';
import type { Workspace } from '../workspace.ts';
import type { Feature } from './feature.ts';
import { symbolAt } from './symbol-at.ts';
import { placesOf } from './symbol-places.ts';

const highlightsAt = (
  workspace: Workspace,
  uri: string,
  position: Position,
): readonly DocumentHighlight[] => {
  const symbolPlace = symbolAt(workspace, uri, position);
  if (symbolPlace === undefined) return [];
  const canonical = canonicalUri(uri);
  return placesOf(workspace, symbolPlace.symbol)
    .filter(({ location }) => canonicalUri(location.uri) === canonical)
    .map(({ location, declares, name }) => ({
      range: name ?? location.range,
      kind: declares ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }));
};

export const documentHighlight: Feature = {
  capabilities: { documentHighlightProvider: true },
  register(connection, handlers) {
    connection.onDocumentHighlight(
      handlers.guarded(
        ({ textDocument, position }) => [
          ...highlightsAt(handlers.workspace, textDocument.uri, position),
        ],
        [],
      ),
    );
  },
};
