/**
 * Formats expressions and nothing else. Off unless `format.enabled` is set, because editors prompt
 * users to choose between formatters and most already have one for YAML. The same layout is always
 * available as code actions.
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
import type { Feature, HandlerFactory, PartContext } from './feature.ts';

/** Returns the edits of all expressions of a document, or of those that touch a range. */
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

/** `source.formatExpressions`, which can run on save. */
export const formatKind = `${CodeActionKind.Source}.formatExpressions`;

/**
 * Returns the action for the expression at a position, or for the whole file; none if nothing would
 * change.
 */
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

/** Registers the formatter dynamically, only while the setting is on. */
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
