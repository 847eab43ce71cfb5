/** From an issuer to its discovery document, and from a file to the configuration that it names. */
import { type LocatedText, oneLine, type Span, wellKnownUrl } from '@authgraph/engine/language';
import type { DocumentLink } from 'vscode-languageserver';
import type { Workspace } from '../workspace.ts';
import type { Feature, PartContext } from './feature.ts';

/** Of a document, in the order of its text. */
const documentLinks = (workspace: Workspace, uri: string): readonly DocumentLink[] => [
  ...workspace.parts(uri).flatMap((part) => issuerLinks({ workspace, part })),
  ...fileLinks(workspace, uri),
];

const issuerLinks = ({ part }: PartContext): readonly DocumentLink[] =>
  (part.compilation.configuration?.jwt ?? []).flatMap(({ issuer: { url, discoveryUrl } }) => [
    ...linkOf(part, url, discoveryUrl?.value ?? wellKnown(url?.value ?? '')),
    ...linkOf(part, discoveryUrl, discoveryUrl?.value ?? ''),
  ]);

/** Nothing can stand behind a query: of such an issuer there is no document. */
const wellKnown = (issuer: string): string =>
  safeAddress(issuer) === undefined || /[?#]/.test(issuer) ? '' : wellKnownUrl(issuer);

const linkOf = (
  { places }: PartContext['part'],
  place: LocatedText | undefined,
  address: string,
): readonly DocumentLink[] => {
  const target = safeAddress(address);
  if (place === undefined || target === undefined) return [];
  return [
    {
      range: places.range(contentOf(place)),
      target,
      tooltip: `Open the discovery document ${oneLine(target)}`,
    },
  ];
};

/** The address without its quotes. */
const contentOf = ({ map, span }: LocatedText): Span => {
  const [first] = map.pieces;
  const last = map.pieces.at(-1);
  if (first === undefined || last === undefined) return span;
  return { start: first.file, end: last.file + last.fileLength };
};

/** As a browser would read it; only https, with nobody's name and password in it. */
const safeAddress = (text: string): string | undefined => {
  if (/\s/.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isPlain = url.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain && url.hostname !== '' ? url.href : undefined;
};

const fileLinks = (workspace: Workspace, uri: string): readonly DocumentLink[] =>
  workspace
    .references(uri)
    .map(({ range, target }) => ({ range, target, tooltip: 'Open the configuration' }));

export const documentLink: Feature = {
  capabilities: { documentLinkProvider: { resolveProvider: false } },
  register(connection, answering) {
    connection.onDocumentLinks(
      answering.guarded(
        ({ textDocument }) => [...documentLinks(answering.workspace, textDocument.uri)],
        [],
      ),
    );
  },
};
