/** Completion items for functions, macros and namespaces. */
import {
  type DraftPlace,
  type EnvironmentName,
  type KnownName,
  namesByFullName,
  newestRelease,
  parseRelease,
  releaseName,
  span,
} from '@authgraph/engine/language';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { type ItemParts, markdown, type SnippetPiece } from './completion-item.ts';
import { type ExpressionPlace, fileSpanOf } from './expression-place.ts';
import { nameText } from './name-text.ts';

/** Adds the documentation of a function or macro when the client resolves its item. */
export const documentName = (item: CompletionItem): CompletionItem => {
  const data = nameData(item.data);
  if (data === undefined) return item;
  const [named] = namesByFullName(data.name, data.form, data);
  return named === undefined
    ? item
    : { ...item, documentation: markdown(nameText(named, data.release)) };
};

export interface NameItem {
  readonly known: KnownName;
  readonly where: ItemParts['span'];
  readonly form: 'global' | 'member';
  readonly at: DraftPlace;
  /** The namespace and a dot before the name, such as `sets.`. */
  readonly namespace?: string;
  /** Whether the receiver must be wrapped in `dyn(…)` before the checker accepts it as a list. */
  readonly asList?: boolean;
}

/** Returns the item for a function, macro or namespace; its documentation is added on resolve. */
export const nameItem = (place: ExpressionPlace, item: NameItem): ItemParts => {
  const { known, where, form, at, namespace = '' } = item;
  const { name, kind, signatures, isNewer, since } = known;
  const [first] = signatures;
  const isOpen = place.text[at.word.end] === '(';
  const aside = isNewer ? `requires ${releaseName(since)}` : (resultOf(first?.text) ?? '');
  const wraps = item.asList === true && known.needsList;
  return {
    label: name,
    ...(kind === 'namespace' ? {} : { signature: `(${shownParams(known)})` }),
    aside,
    kind: kinds[kind === 'function' && form === 'member' ? 'method' : kind],
    detail: detailOf(known),
    pieces: kind === 'namespace' ? [name] : [name, ...callPieces(known, { place, isOpen })],
    span: where,
    filter: name,
    sort: `${isNewer ? 9 : sortGroup(known)}${name}`,
    ...(wraps ? { others: dynAround(place, at) } : {}),
    ...(kind === 'namespace'
      ? { documentation: known.doc }
      : {
          data: {
            name: `${namespace}${name}`,
            form,
            environment: place.environment,
            release: releaseName(place.release),
          },
        }),
  };
};

const kinds = {
  function: CompletionItemKind.Function,
  method: CompletionItemKind.Method,
  macro: CompletionItemKind.Function,
  namespace: CompletionItemKind.Module,
} as const;

/** Functions in a namespace sort after their namespace. */
const sortGroup = ({ kind, name }: KnownName): number =>
  name.includes('.') ? 8 : kind === 'namespace' ? 7 : 6;

/** Returns the parameters of the first signature, with an ellipsis if other signatures differ. */
const shownParams = ({ signatures }: KnownName): string => {
  const [first = '', ...others] = new Set(signatures.map(({ params }) => params.join(', ')));
  if (others.length === 0) return first;
  return first === '' ? '…' : `${first} …`;
};

const detailOf = ({ signatures }: KnownName): string => {
  const [first, ...others] = signatures;
  if (first === undefined) return '';
  return others.length === 0 ? first.text : `${first.text} (+${others.length})`;
};

const resultOf = (signature: string | undefined): string | undefined =>
  signature?.split(' -> ').at(-1);

/**
 * Returns the parentheses with a tab stop for each argument; in flow style a comma would end the
 * scalar.
 */
const callPieces = (
  { kind, signatures }: KnownName,
  { place, isOpen }: { readonly place: ExpressionPlace; readonly isOpen: boolean },
): readonly SnippetPiece[] => {
  if (isOpen) return [];
  const { scalar } = place.value;
  const params = signatures[0]?.params ?? [];
  if (signatures.every((signature) => signature.params.length === 0)) return ['()'];
  const noComma = scalar.style === 'plain' && scalar.flow;
  if (kind !== 'macro' || noComma || params.length < 2) return ['(', { stop: '' }, ')'];
  const variables = params.slice(0, -1);
  return [
    '(',
    ...variables.flatMap((name): readonly SnippetPiece[] => [{ stop: name }, ', ']),
    { stop: '' },
    ')',
  ];
};

/**
 * Returns the edits that wrap the receiver: `claims.groups` is of type dyn, `dyn(claims.groups)` is
 * accepted as a list.
 */
const dynAround = (place: ExpressionPlace, at: DraftPlace): ItemParts['others'] => {
  const { receiver } = at;
  if (receiver === undefined) return [];
  const where = fileSpanOf(place, receiver);
  return [
    { span: span(where.start, where.start), newText: 'dyn(' },
    { span: span(where.end, where.end), newText: ')' },
  ];
};

interface NameData {
  readonly name: string;
  readonly form: 'global' | 'member';
  readonly environment: EnvironmentName;
  readonly release: typeof newestRelease;
}

const nameData = (data: unknown): NameData | undefined => {
  if (typeof data !== 'object' || data === null) return undefined;
  const { name, form, environment, release }: Readonly<Record<string, unknown>> = { ...data };
  if (typeof name !== 'string' || (form !== 'global' && form !== 'member')) return undefined;
  if (environment !== 'claims' && environment !== 'user') return undefined;
  const target = typeof release === 'string' ? parseRelease(release) : undefined;
  return { name, form, environment, release: target ?? newestRelease };
};
