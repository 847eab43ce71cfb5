/** The tokens of YAML 1.1. Block structure is also represented by tokens: start, entry, end. */
import type { PositionMap } from '../../source/position-map.ts';
import type { ScalarStyle } from './document.ts';
import type { Mark } from './text-cursor.ts';

export type TokenKind =
  | 'stream-end'
  | 'document-start'
  | 'document-end'
  | 'version-directive'
  | 'tag-directive'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'block-entry'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

export interface ScalarContent {
  readonly text: string;
  readonly map: PositionMap;
  readonly style: ScalarStyle;
}

export interface Token {
  readonly kind: TokenKind;
  readonly start: Mark;
  /** Offset after the token. */
  readonly end: number;
  /** Line of that offset. */
  readonly endLine: number;
  /** Name of an alias or anchor, handle of a tag or tag directive, or the version `1.1`. */
  readonly text: string;
  /** Suffix of a tag, or prefix of a tag directive. */
  readonly suffix: string;
  readonly scalar: ScalarContent | undefined;
}

/** Creates a token that ends at a mark or at a cursor. */
export const makeToken = (
  kind: TokenKind,
  start: Mark,
  end: Pick<Mark, 'offset' | 'line'>,
  content?: { text?: string; suffix?: string },
): Token => ({
  kind,
  start,
  end: end.offset,
  endLine: end.line,
  text: content?.text ?? '',
  suffix: content?.suffix ?? '',
  scalar: undefined,
});

/** Creates the token of a scalar. */
export const scalarToken = (
  scalar: ScalarContent,
  start: Mark,
  end: Pick<Mark, 'offset' | 'line'>,
): Token => ({
  kind: 'scalar',
  start,
  end: end.offset,
  endLine: end.line,
  text: '',
  suffix: '',
  scalar,
});
