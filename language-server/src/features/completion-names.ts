/** Items of completion for functions, macros and namespaces. */
import {
  namesByFullName,
  type EnvironmentName,
  type KnownName,
  newestRelease,
  parseRelease,
  releaseName,
  span,
  type DraftPlace,
} from '@authgraph/engine/language';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { type ItemParts, markdown, type SnippetPiece } from './completion-item.ts';
import { type ExpressionPlace, fileSpanOf } from './expression-place.ts';
import { nameText } from './name-text.ts';

/** Documentation of a function or macro, made when its item is looked at. */
export const documentName = (item: CompletionItem): CompletionItem => {
  const data = nameData(item.data);
  if (data === undefined) return item;
  const [found] = namesByFullName(data.name, data.form, data);
  return found === undefined
    ? item
    : { ...item, documentation: markdown(nameText(found, data.release)) };
};

export interface NameItem {
  readonly known: KnownName;
  readonly where: ItemParts['span'];
  readonly form: 'global' | 'member';
  readonly at: DraftPlace;
  /** `sets.` in front of the name. */
  readonly namespace?: string;
  /** The macro's receiver has to be wrapped before the checker takes it for a list. */
  readonly asList?: boolean;
}

/** A function, a macro or a namespace as an item; its documentation is made when it is looked at. */
export const nameItem = (place: ExpressionPlace, item: NameItem): ItemParts => {
  const { known, where, form, at, namespace = '' } = item;
  const { name, kind, signatures, isNewer, since } = known;
  const [first] = signatures;
  const isOpen = place.text[at.word.end] === '(';
  const aside = isNewer ? `needs ${releaseName(since)}` : (resultOf(first?.text) ?? '');
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

/** Names behind a namespace come with their namespace, or when somebody types them. */
const sortGroup = ({ kind, name }: KnownName): number =>
  name.includes('.') ? 8 : kind === 'namespace' ? 7 : 6;

/** Parameters of the first form, and a mark where another form has others. */
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

/** Brackets with a stop for what is asked for; in flow style a comma would end the text. */
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

/** `claims.groups` is of any type, and no list to the checker: `dyn(claims.groups)` may be one. */
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
