/**
 * Builds a tree for text with syntax errors from the parts before and after the error. The editor
 * uses it for completion and hovers; nothing is compiled from it.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { verbatimMap } from '../../source/position-map.ts';
import { type Span, span } from '../../source/span.ts';
import type { MappingEntry, YamlNode } from './document.ts';
import { readLooseScalar } from './loose-scalar.ts';
import { emptyScalar } from './scalar-node.ts';

/** Larger or more deeply nested texts are not recovered, because the parser is recursive. */
const maxRecoveryDepth = 64;
const maxRecoveryLength = 128 * 1024;

/** Returns the tree; `undefined` if nothing could be understood. Never throws. */
export const tolerantTree = (text: string): YamlNode | undefined => {
  if (text.length > maxRecoveryLength || nestingBound(text) > maxRecoveryDepth) return undefined;
  const lines = new LineCounter();
  try {
    const document = withoutStacks(() =>
      parseDocument(text, {
        lineCounter: lines,
        keepSourceTokens: false,
        strict: false,
        uniqueKeys: false,
        version: '1.1',
        logLevel: 'silent',
        prettyErrors: false,
      }),
    );
    return convert(document.contents, { text, lineOf: (at) => lines.linePos(at).line - 1 });
  } catch {
    // Recovery is optional: without it, only the syntax error is reported.
    return undefined;
  }
};

interface Place {
  readonly text: string;
  readonly lineOf: (offset: number) => number;
}

/** Converts a node; `keyOffset` is the offset of the key whose value it is. */
const convert = (node: unknown, place: Place, keyOffset?: number): YamlNode | undefined => {
  if (isAlias(node)) return undefined;
  if (!isMap(node) && !isSeq(node)) {
    return isScalar(node)
      ? (exactScalar(node, place, keyOffset) ?? scalar(node, place))
      : undefined;
  }
  const where = spanOf(node.range);
  const flow = node.flow === true;
  const base = { span: where, line: place.lineOf(where.start), tag: '', flow };
  if (isMap(node)) {
    const entries: MappingEntry[] = [];
    for (const { key, value } of node.items) {
      const keyNode = convert(key, place);
      if (keyNode === undefined) continue;
      entries.push({
        key: keyNode,
        value:
          convert(value, place, keyNode.span.start) ??
          emptyScalar({ offset: keyNode.span.end, line: keyNode.line }),
      });
    }
    return { kind: 'mapping', ...base, entries };
  }
  return {
    kind: 'sequence',
    ...base,
    items: node.items.flatMap((item) => convert(item, place) ?? []),
  };
};

/**
 * Converts quoted and block scalars with exact positions; `undefined` for others and for open
 * quotes.
 */
const exactScalar = (
  node: { readonly range?: readonly number[] | null; readonly type?: string },
  { text, lineOf }: Place,
  keyOffset: number | undefined,
): YamlNode | undefined => {
  const isBlock = node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED';
  if (!isBlock && node.type !== 'QUOTE_DOUBLE' && node.type !== 'QUOTE_SINGLE') return undefined;
  if (isBlock && keyOffset === undefined) return undefined;
  const where = spanOf(node.range);
  const indent =
    keyOffset === undefined ? 0 : keyOffset - (text.lastIndexOf('\n', keyOffset - 1) + 1);
  const scalar = readLooseScalar(text, where.start, { indent, flow: false });
  if (!scalar.closed || (!isBlock && scalar.span.end !== where.end)) return undefined;
  return {
    kind: 'scalar',
    span: scalar.span,
    line: lineOf(where.start),
    tag: '',
    style: scalar.style,
    text: scalar.text,
    map: scalar.map,
    implicit: false,
  };
};

const scalar = (
  node: {
    readonly range?: readonly number[] | null;
    readonly source?: string;
    readonly value: unknown;
    readonly type?: string;
  },
  place: Place,
): YamlNode => {
  const where = spanOf(node.range);
  const text = node.source ?? String(node.value ?? '');
  const quotes = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE' ? 1 : 0;
  const start = place.text.indexOf(text, where.start + quotes);
  const verbatim = start !== -1 && start + text.length <= where.end;
  const first = { decoded: 0, decodedLength: text.length, file: where.start };
  return {
    kind: 'scalar',
    span: where,
    line: place.lineOf(where.start),
    tag: '',
    style: quotes === 1 ? 'double' : 'plain',
    text,
    map: verbatim
      ? verbatimMap(start, text.length)
      : { pieces: [{ ...first, fileLength: where.end - where.start }] },
    implicit: quotes === 0 && node.type === 'PLAIN',
  };
};

const spanOf = (range: readonly number[] | null | undefined): Span =>
  span(range?.[0] ?? 0, range?.[1] ?? range?.[0] ?? 0);

/** Returns an upper bound of the nesting: brackets, and steps of indentation and of dashes. */
const nestingBound = (text: string): number => {
  let brackets = 0;
  let maxDepth = 0;
  for (const letter of text) {
    if (letter === '[' || letter === '{') brackets += 1;
    else if ((letter === ']' || letter === '}') && brackets > 0) brackets -= 1;
    maxDepth = Math.max(maxDepth, brackets);
  }
  return maxDepth + blockLevels(text);
};

const blockLevels = (text: string): number => {
  const open: number[] = [];
  let deepest = 0;
  for (const [, indent = '', dashes = ''] of text.matchAll(/^( *)((?:[-?:] +)*)/gm)) {
    while ((open.at(-1) ?? -1) >= indent.length) open.pop();
    open.push(indent.length);
    deepest = Math.max(deepest, open.length + dashes.replaceAll(' ', '').length);
  }
  return deepest;
};

/**
 * The package creates an `Error` for every mistake, and a hostile text has a hundred thousand:
 * their unused stacks would take most of the time.
 */
const withoutStacks = <Result>(work: () => Result): Result => {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
};
