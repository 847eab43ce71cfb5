/** Completion at a position: fields, values, and names and claims in expressions. */
import { placeAt } from '@authgraph/engine/language';
import {
  type CompletionItem,
  type CompletionList,
  type CompletionParams,
  CompletionTriggerKind,
  type Connection,
} from 'vscode-languageserver';
import { completeExpression } from './completion-expression.ts';
import { completeFields } from './completion-fields.ts';
import { withoutSnippet } from './completion-item.ts';
import { documentName } from './completion-names.ts';
import { completeSample } from './completion-sample.ts';
import { completeTest } from './completion-test.ts';
import { completeValues } from './completion-values.ts';
import { expressionPlace } from './expression-place.ts';
import type { Feature, PlaceContext } from './feature.ts';

/** Returns `undefined` in prose and comments, and wherever there is nothing to complete. */
export const completionAt = (
  context: PlaceContext,
  { context: trigger }: CompletionParams,
): CompletionList | undefined => {
  const place = placeAt(context.part.compilation.document.source, context.offset);
  if (place === undefined) return undefined;
  if (place.kind !== 'value') return listOf(completeFields(context, place));
  const expression = expressionPlace(context, place, context.offset);
  // Incomplete, so that a client requests the list again once the whole value is typed.
  if (expression === undefined) return listOf(completeValues(context, place), true);
  const typed =
    trigger?.triggerKind === CompletionTriggerKind.TriggerCharacter ? trigger.triggerCharacter : '';
  // A space inside an expression does not open the list; at the start of a value it does.
  if (typed === ' ' && expression.text.trim() !== '') return undefined;
  return listOf(completeExpression(expression));
};

export const completion: Feature = {
  capabilities: {
    completionProvider: {
      triggerCharacters: ['.', '?', '[', '"', "'", ' '],
      resolveProvider: true,
      completionItem: { labelDetailsSupport: true },
    },
  },
  register(connection, handlers) {
    const inConfiguration = handlers.atPosition(completionAt);
    const inSample = handlers.guarded(
      (params: CompletionParams) => listOf(completeSample(handlers.workspace, params) ?? []),
      undefined,
    );
    const inTest = handlers.guarded(
      (params: CompletionParams) => listOf(completeTest(handlers.workspace, params) ?? []),
      undefined,
    );
    connection.onCompletion((params, token) => {
      const list =
        inConfiguration(params, token) ?? inSample(params, token) ?? inTest(params, token) ?? null;
      if (list === null || snippetConnections.has(connection)) return list;
      return { ...list, items: list.items.map(withoutSnippet) };
    });
    connection.onCompletionResolve((item, token) =>
      handlers.guarded<CompletionItem, CompletionItem>(documentName, item)(item, token),
    );
  },
  configure(connection, { client }) {
    const { completionItem } = client.textDocument?.completion ?? {};
    if (completionItem?.snippetSupport === true) snippetConnections.add(connection);
  },
};

/** Connections whose clients support snippets. */
const snippetConnections = new WeakSet<Connection>();

const listOf = (
  items: readonly CompletionItem[],
  isIncomplete = false,
): CompletionList | undefined =>
  items.length === 0 ? undefined : { isIncomplete, items: [...items] };
