/**
 * Formatting of expressions, and of nothing else. Off unless `format.enabled` is set: an editor asks its
 * user which of several formatters a language has, and the YAML formatter people have should stay it.
 * The same layout is always there as code actions, which no other formatter is in the way of.
 */

import type { Span } from '@authgraph/engine/language';
import {
  type ClientCapabilities,
  type CodeAction,
  CodeActionKind,
  type Connection,
  type Disposable,
  DocumentFormattingRequest,
  DocumentRangeFormattingRequest,
  type Range,
  type TextEdit,
} from 'vscode-languageserver';
import { layoutEdits } from './expression-layout.ts';
import type { HandlerFactory, Feature, PartContext } from './feature.ts';

/** All expressions of a document, or those that touch a range. */
const formattingEdits = (
  { workspace }: HandlerFactory,
  uri: string,
  range?: Range,
): readonly TextEdit[] | null => {
  if (!workspace.options.formatting) return null;
  return workspace.parts(uri).flatMap((part) => {
    const span = range === undefined ? undefined : part.places.spanOf(range);
    if (range !== undefined && span === undefined) return [];
    return layoutEdits({ workspace, part }, span).map((edit) => part.places.edit(edit));
  });
};

/** `source.formatExpressions`, for those who want it on save. */
export const formatKind = `${CodeActionKind.Source}.formatExpressions`;

/** The expression at a place, and all of the file; only where there is something to do. */
export const formatActions = (
  context: PartContext,
  request: { readonly span: Span | undefined; readonly kind: string },
): readonly CodeAction[] => {
  const { uri, places } = context.part;
  const edits = layoutEdits(context, request.span).map((edit) => places.edit(edit));
  if (edits.length === 0) return [];
  return [
    {
      title: request.span === undefined ? 'Format all expressions' : 'Format expression',
      kind: request.kind,
      edit: { changes: { [uri]: edits } },
    },
  ];
};

const registrations = new WeakMap<Connection, Promise<readonly Disposable[]>>();

/** A client that can be told later is told only while the setting is on. */
const updateRegistration = (
  connection: Connection,
  { client, enabled }: { readonly client: ClientCapabilities; readonly enabled: boolean },
): void => {
  const canRegister =
    client.textDocument?.formatting?.dynamicRegistration === true &&
    client.textDocument.rangeFormatting?.dynamicRegistration === true;
  if (!canRegister || enabled === registrations.has(connection)) return;
  if (!enabled) {
    const registered = registrations.get(connection);
    registrations.delete(connection);
    const dispose = (all: readonly Disposable[]): void => {
      for (const each of all) each.dispose();
    };
    registered?.then(dispose).catch(() => undefined);
    return;
  }
  const options = { documentSelector: [{ language: 'yaml' }, { language: 'json' }] };
  registrations.set(
    connection,
    Promise.all([
      connection.client.register(DocumentFormattingRequest.type, options),
      connection.client.register(DocumentRangeFormattingRequest.type, options),
    ]).catch(() => []),
  );
};

export const formatting: Feature = {
  capabilities: ({ textDocument }) =>
    textDocument?.formatting?.dynamicRegistration === true &&
    textDocument.rangeFormatting?.dynamicRegistration === true
      ? {}
      : { documentFormattingProvider: true, documentRangeFormattingProvider: true },
  register(connection, handlers) {
    connection.onDocumentFormatting(
      handlers.guarded(({ textDocument: { uri } }) => {
        const edits = formattingEdits(handlers, uri);
        return edits && [...edits];
      }, null),
    );
    connection.onDocumentRangeFormatting(
      handlers.guarded(({ textDocument: { uri }, range }) => {
        const edits = formattingEdits(handlers, uri, range);
        return edits && [...edits];
      }, null),
    );
  },
  configure(connection, { client, options }) {
    updateRegistration(connection, { client, enabled: options.formatting });
  },
};
