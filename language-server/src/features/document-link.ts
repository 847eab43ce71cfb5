/**
 * Links from an issuer to its discovery document, and from a file to the configuration that it
 * references.
 */
import {
  contentSpan,
  discoveryDocument,
  type LocatedString,
  oneLine,
} from '@authgraph/engine/language';
import type { DocumentLink } from 'vscode-languageserver';
import type { Workspace } from '../workspace.ts';
import type { Feature, PartContext } from './feature.ts';

/** Returns the links of a document in document order. */
const documentLinks = (workspace: Workspace, uri: string): readonly DocumentLink[] => [
  ...workspace.parts(uri).flatMap((part) => issuerLinks({ workspace, part })),
  ...fileLinks(workspace, uri),
];

const issuerLinks = ({ part }: PartContext): readonly DocumentLink[] =>
  (part.compilation.configuration?.jwt ?? []).flatMap(({ issuer }) => {
    const target = discoveryDocument(issuer);
    return target === undefined
      ? []
      : [...linkOf(part, issuer.url, target), ...linkOf(part, issuer.discoveryUrl, target)];
  });

const linkOf = (
  { places }: PartContext['part'],
  place: LocatedString | undefined,
  target: string,
): readonly DocumentLink[] =>
  place === undefined
    ? []
    : [
        {
          range: places.range(contentSpan(place)),
          target,
          tooltip: `Open the discovery document ${oneLine(target)}`,
        },
      ];

const fileLinks = (workspace: Workspace, uri: string): readonly DocumentLink[] =>
  workspace
    .references(uri)
    .map(({ range, target }) => ({ range, target, tooltip: 'Open the configuration' }));

export const documentLink: Feature = {
  capabilities: { documentLinkProvider: { resolveProvider: false } },
  register(connection, handlers) {
    connection.onDocumentLinks(
      handlers.guarded(
        ({ textDocument }) => [...documentLinks(handlers.workspace, textDocument.uri)],
        [],
      ),
    );
  },
};
