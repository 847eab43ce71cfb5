/** Hover on a field, a value, or a part of an expression. */
import { type KeyPlace, placeAt, rowOf, type ValuePlace } from '@authgraph/engine/language';
import {
  type Connection,
  type Hover,
  type HoverParams,
  MarkupContent,
} from 'vscode-languageserver';
import { markdown } from './completion-item.ts';
import { entryIndexOf, expressionPlace } from './expression-place.ts';
import type { Feature, PartContext, PlaceContext } from './feature.ts';
import { fieldText } from './field-text.ts';
import { hoverExpression } from './hover-expression.ts';
import { hoverTest } from './hover-test.ts';
import { valueText } from './hover-value.ts';
import { boundGroupsText } from './mapped-groups.ts';
import { paragraphs } from './markdown.ts';

export const hoverAt = (context: PlaceContext): Hover | undefined => {
  const place = placeAt(context.part.compilation.document.source, context.offset);
  if (place?.kind === 'key') return ofKey(context, place);
  if (place?.kind !== 'value') return undefined;
  return withGroups(context, place, ofValue(context, place));
};

const ofValue = (context: PlaceContext, place: ValuePlace): Hover | undefined => {
  const expression = expressionPlace(context, place, context.offset);
  if (expression !== undefined) return hoverExpression(expression);
  const { span } = place.scalar;
  const text = span.end === span.start ? undefined : valueText(context, place);
  if (text === undefined) return undefined;
  return { contents: markdown(text), range: context.part.places.range(span) };
};

/** Adds the bindings of the groups to a hover on the mapping of groups. */
const withGroups = (
  context: PartContext,
  place: ValuePlace,
  hover: Hover | undefined,
): Hover | undefined => {
  const index = entryIndexOf(place);
  if (index === undefined || !place.path.startsWith(`jwt[${index}].claimMappings.groups.`))
    return hover;
  const groups = boundGroupsText(context, index);
  if (groups === '') return hover;
  const before =
    hover !== undefined && MarkupContent.is(hover.contents) ? hover.contents.value : undefined;
  return { ...hover, contents: markdown(paragraphs(before, groups)) };
};

export const hover: Feature = {
  capabilities: { hoverProvider: true },
  register(connection, handlers) {
    const inConfiguration = handlers.atPosition(hoverAt);
    const inTest = handlers.guarded(
      (params: HoverParams) => hoverTest(handlers.workspace, params),
      undefined,
    );
    connection.onHover((params, token) => {
      const hover = inConfiguration(params, token) ?? inTest(params, token) ?? null;
      return hover !== null && plainTextConnections.has(connection) ? asPlainText(hover) : hover;
    });
  },
  configure(connection, { client }) {
    const formats = client.textDocument?.hover?.contentFormat ?? [];
    if (formats.length > 0 && !formats.includes('markdown')) plainTextConnections.add(connection);
  },
};

/** Connections whose clients show plain text only, such as Emacs without a Markdown mode. */
const plainTextConnections = new WeakSet<Connection>();

/** Markdown is readable as plain text. */
const asPlainText = (hover: Hover): Hover =>
  MarkupContent.is(hover.contents)
    ? { ...hover, contents: { kind: 'plaintext', value: hover.contents.value } }
    : hover;

const ofKey = (context: PartContext, { struct, name, written }: KeyPlace): Hover | undefined => {
  const row = rowOf(struct, name);
  if (row === undefined) return undefined;
  const { targetRelease } = context.part.compilation.settings;
  return {
    contents: markdown(paragraphs(`**${row.name}**`, fieldText(row, targetRelease))),
    range: context.part.places.range(written),
  };
};
