/**
 * Expands a selection: the name in an expression, the enclosing parts of the expression, the
 * scalar, the field, its section, the list entry, and the configuration.
 */
import {
  type CelNode,
  cover,
  type DataNode,
  type Span,
  sourceNodes,
  span,
  spanInsideQuotes,
  touches,
} from '@authgraph/engine/language';
import type { Position, Range, SelectionRange } from 'vscode-languageserver';
import { comparePositions, touchesPosition } from '../to-protocol.ts';
import type { ConfigurationPart, Workspace } from '../workspace.ts';
import type { Feature } from './feature.ts';
import { expressionAt, placeOf } from './placed-expressions.ts';

/** Returns the chain of ranges around a position, or the position itself if there are none. */
const selectionAt = (workspace: Workspace, uri: string, position: Position): SelectionRange => {
  for (const part of workspace.parts(uri)) {
    const offset = part.places.offsetAt(position);
    if (offset === undefined) continue;
    const ranges = spansAround(part, offset).map((each) => part.places.range(each));
    const chain = chainOf(ranges.filter((range) => touchesPosition(range, position)));
    if (chain !== undefined) return chain;
  }
  return { range: { start: position, end: position } };
};

/** Returns the spans from the outermost to the innermost. */
const spansAround = ({ compilation }: ConfigurationPart, offset: number): readonly Span[] => {
  const { source, data } = compilation.document;
  return [
    span(0, source.text.length),
    ...dataSpans(data, offset),
    ...expressionSpans(compilation, offset),
  ];
};

const dataSpans = (data: DataNode | undefined, offset: number): readonly Span[] => {
  const spans: Span[] = [];
  for (let node = data; node !== undefined; ) {
    spans.push(node.span);
    if (node.kind === 'array') {
      node = node.items.find((item) => touches(item.span, offset));
    } else if (node.kind === 'object') {
      const entry: (typeof node.entries)[number] | undefined = node.entries.find(
        ({ keySpan, value }) => touches(cover(keySpan, value.span), offset),
      );
      if (entry === undefined) return spans;
      spans.push(cover(entry.keySpan, entry.value.span));
      if (touches(entry.keySpan, offset)) return [...spans, entry.keySpan];
      node = entry.value;
    } else return spans;
  }
  return spans;
};

const expressionSpans = (
  compilation: ConfigurationPart['compilation'],
  offset: number,
): readonly Span[] => {
  const place = expressionAt(compilation, offset);
  if (place === undefined) return [];
  const { expression, at } = place;
  const { parsed } = expression.compilation.checked;
  const inside = sourceNodes(parsed)
    .flatMap(({ node }) => [node.span, ...nameSpans(node, parsed.text)])
    .filter((each) => each.end > each.start && touches(each, at))
    .sort((a, b) => b.end - b.start - (a.end - a.start));
  return [span(0, parsed.text.trimEnd().length), ...inside].map((each) =>
    placeOf(expression, each),
  );
};

/** Returns the span of a name, or of the text inside quotes. */
const nameSpans = (node: CelNode, text: string): readonly Span[] => {
  if (node.kind === 'select') return [node.fieldSpan];
  if (node.kind === 'call' && /^\w+$/.test(node.function)) return [node.functionSpan];
  if (node.kind !== 'literal' || node.constant.kind !== 'string') return [];
  return [spanInsideQuotes(text.slice(node.span.start, node.span.end), node.span.start)];
};

const chainOf = (ranges: readonly Range[]): SelectionRange | undefined => {
  let chain: SelectionRange | undefined;
  for (const range of ranges) {
    if (chain === undefined) chain = { range };
    else if (isInside(range, chain.range)) chain = { range, parent: chain };
  }
  return chain;
};

/** Returns whether a range is strictly smaller than another and inside it. */
const isInside = (inner: Range, outer: Range): boolean =>
  touchesPosition(outer, inner.start) &&
  touchesPosition(outer, inner.end) &&
  (comparePositions(outer.start, inner.start) < 0 || comparePositions(inner.end, outer.end) < 0);

export const selectionRange: Feature = {
  capabilities: { selectionRangeProvider: true },
  register(connection, handlers) {
    connection.onSelectionRanges(
      handlers.guarded(({ textDocument: { uri }, positions }) => {
        const { workspace } = handlers;
        if (workspace.parts(uri).length === 0) return null;
        return positions.map((position) => selectionAt(workspace, uri, position));
      }, null),
    );
  },
};
