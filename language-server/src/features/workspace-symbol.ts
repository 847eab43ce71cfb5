/** Workspace symbols: authenticators by the URL of their issuer, and samples by name. */
import { oneLine } from '@authgraph/engine/language';
import {
  type CancellationToken,
  type SymbolInformation,
  SymbolKind,
  type WorkspaceSymbolParams,
} from 'vscode-languageserver';
import { withAbortSignal } from '../cancellation.ts';
import { rangeOf } from '../to-protocol.ts';
import type { Workspace } from '../workspace.ts';
import { issuerOf } from './claim-places.ts';
import type { Feature } from './feature.ts';
import { issuerUrlFields } from './symbol-at.ts';
import { openParts } from './symbol-places.ts';

const symbolsMatching = async (
  workspace: Workspace,
  { query }: WorkspaceSymbolParams,
  token: CancellationToken,
): Promise<SymbolInformation[]> => {
  await workspace.whenSearched();
  const closed = await withAbortSignal(token, (signal) =>
    workspace.closedParts(signal, { isRecent: true }),
  );
  const wanted = query.toLowerCase();
  return [...authenticators(workspace, closed.parts), ...samples(workspace)]
    .filter(({ name }) => isSubsequence(wanted, name.toLowerCase()))
    .slice(0, maxSymbols);
};

type Parts = ReturnType<typeof openParts>;

const authenticators = (workspace: Workspace, closed: Parts): readonly SymbolInformation[] =>
  [...openParts(workspace), ...closed].flatMap(({ uri, compilation, places }) =>
    issuerUrlFields(compilation).map(({ value, span }) => ({
      name: oneLine(value, maxNameLength),
      kind: SymbolKind.Module,
      location: { uri, range: places.range(span) },
    })),
  );

/** Returns the samples that are files. */
const samples = (workspace: Workspace): readonly SymbolInformation[] =>
  workspace.samples.all.flatMap((sample) => {
    const { id, name, document } = sample;
    if (document === undefined) return [];
    const issuer = issuerOf(sample);
    return [
      {
        name: oneLine(name, maxNameLength),
        kind: SymbolKind.Object,
        location: { uri: id, range: rangeOf(document.source, { start: 0, end: 0 }) },
        ...(issuer === undefined ? {} : { containerName: oneLine(issuer, maxNameLength) }),
      },
    ];
  });

/** Returns whether the text has all characters of the query in order, as clients match them. */
const isSubsequence = (query: string, text: string): boolean => {
  let at = 0;
  for (const character of text) {
    if (at < query.length && query.startsWith(character, at)) at += character.length;
  }
  return at === query.length;
};

const maxSymbols = 500;
const maxNameLength = 120;

export const workspaceSymbol: Feature = {
  capabilities: { workspaceSymbolProvider: true },
  register(connection, handlers) {
    const { workspace } = handlers;
    connection.onWorkspaceSymbol(
      handlers.guardedAsync((params, token) => symbolsMatching(workspace, params, token), []),
    );
  },
};
