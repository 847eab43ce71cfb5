/** Positions of scalars that differ from those of their tokens. */
import { verbatimMap } from '../../source/position-map.ts';
import type { Span } from '../../source/span.ts';
import type { YamlNode } from './document.ts';
import type { Mark } from './text-cursor.ts';
import type { Token } from './token.ts';

/** Returns an empty node where a value could be; it is null unless a tag says otherwise. */
export const emptyScalar = (
  at: Pick<Mark, 'offset' | 'line'>,
  properties: { readonly tag: string; readonly end: number } = { tag: '', end: at.offset },
): YamlNode => {
  const span: Span = { start: at.offset, end: Math.max(at.offset, properties.end) };
  return {
    kind: 'scalar',
    span,
    line: at.line,
    tag: properties.tag,
    style: 'plain',
    text: '',
    map: verbatimMap(span.end, 0),
    implicit: properties.tag === '',
  };
};

/**
 * Returns the end of a block scalar: after its last character, not after the empty lines that
 * follow.
 */
export const contentEnd = (at: Token): number => {
  const style = at.scalar?.style;
  if (style !== 'literal' && style !== 'folded') return at.end;
  const last = at.scalar?.map.pieces.at(-1);
  if (last === undefined) return at.end;
  const tail = last.fileLength !== last.decodedLength || at.scalar?.text.endsWith('\n');
  return tail ? Math.max(last.file, at.start.offset + 1) : last.file + last.fileLength;
};
