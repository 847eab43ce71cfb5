/**
 * The layout of expressions as text edits. Only whitespace between tokens changes, never the YAML
 * around them, which belongs to the YAML formatter. In a block scalar an expression may span
 * several lines; elsewhere it keeps the line breaks of the scalar, which read as blanks there.
 */
import {
  type LayoutGap,
  layoutGaps,
  type SourceFile,
  type Span,
  styleOf,
  type TextEdit,
  toFileSpan,
  touches,
} from '@authgraph/engine/language';
import type { PartContext } from './feature.ts';
import { type ExpressionInFile, expressionsIn } from './placed-expressions.ts';

/**
 * Returns edits of the configuration's own text for the expressions that touch `range`, or for all.
 */
export const layoutEdits = ({ part }: PartContext, range?: Span): readonly TextEdit[] => {
  const { compilation } = part;
  return expressionsIn(compilation)
    .filter(
      ({ extent }) =>
        range === undefined || touches(extent, range.start) || touches(range, extent.start),
    )
    .flatMap((expression) => editsOf(compilation.document.source, expression));
};

const editsOf = (source: SourceFile, expression: ExpressionInFile): readonly TextEdit[] => {
  const { located } = expression;
  const style = styleOf(source, located);
  if (style === 'block') return blockEdits(source, expression);
  const gaps = layoutGaps(located.value, { lines: 'one' });
  if (gaps === undefined || !isAllowedInStyle(gaps, style, located.value)) return [];
  return gaps
    .filter(({ span, newText }) => located.value.slice(span.start, span.end) !== newText)
    .map(({ span, newText }) => ({ span: toFileSpan(located.map, span), newText }));
};

/** A plain scalar cannot contain a colon followed by a blank: `a ? b:c` keeps its layout there. */
const isAllowedInStyle = (
  gaps: readonly LayoutGap[],
  style: ReturnType<typeof styleOf>,
  text: string,
): boolean =>
  style !== 'plain' ||
  gaps.every(
    ({ span, newText }) =>
      newText === '' || (text[span.start - 1] !== ':' && text[span.end] !== '#'),
  );

const blockEdits = (source: SourceFile, { located }: ExpressionInFile): readonly TextEdit[] => {
  const { map, value } = located;
  const first = value.search(/\S/);
  if (first === -1) return [];
  const lineStart = value.lastIndexOf('\n', first) + 1;
  const { column } = source.positionAt(toFileSpan(map, { start: first, end: first + 1 }).start);
  const inFile = ({ span }: LayoutGap): Span => toFileSpan(map, span);
  const written = (gap: LayoutGap): string => {
    const { start, end } = inFile(gap);
    return source.text.slice(start, end);
  };
  // A folded scalar reads line breaks as blanks, so the file is checked for the author's line
  // breaks.
  const flat = layoutGaps(value, { lines: 'one' });
  const usesLines =
    flat === undefined || flat.slice(1, -1).some((gap) => written(gap).includes('\n'));
  const gaps = layoutGaps(value, {
    lines: usesLines ? 'many' : 'one',
    column: column - (first - lineStart),
  });
  if (gaps === undefined || (isFolded(source, located) && flat === undefined)) return [];
  const lineEnd = source.text.includes('\r\n') ? '\r\n' : '\n';
  return gaps.flatMap((gap, index): readonly TextEdit[] => {
    const isLast = index === gaps.length - 1;
    const where = inFile(gap);
    if (isLast) return trailingBlanks(source, where.start);
    // Leading empty lines determine where YAML starts the text.
    if (index === 0 && written(gap).includes('\n')) return [];
    const newText = gap.newText.replaceAll('\n', lineEnd);
    return written(gap) === newText ? [] : [{ span: where, newText }];
  });
};

/** The number of trailing line breaks depends on the block header. */
const trailingBlanks = ({ text }: SourceFile, from: number): readonly TextEdit[] => {
  const blanks = /^[ \t]*/.exec(text.slice(from))?.[0].length ?? 0;
  return blanks === 0 ? [] : [{ span: { start: from, end: from + blanks }, newText: '' }];
};

/** Lines of a folded scalar run together, so a comment would swallow what follows it. */
const isFolded = ({ text }: SourceFile, { span, map }: ExpressionInFile['located']): boolean =>
  text.slice(span.start, map.pieces[0]?.file ?? span.start).includes('>');
