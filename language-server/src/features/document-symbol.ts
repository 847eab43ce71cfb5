/**
 * The outline: authenticators by issuer, their sections, and rules by message. Disabled if the
 * settings leave it to another extension.
 */
import type { DataEntry, DataNode, Span } from '@authgraph/engine/language';
import { contains, cover, oneLine } from '@authgraph/engine/language';
import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import type { Feature, PartContext } from './feature.ts';

/** Returns the symbols in document order. */
const symbolsOf = ({ part, workspace }: PartContext): readonly DocumentSymbol[] => {
  if (!workspace.options.outline) return [];
  const { document } = part.compilation;
  const protocol = ({ name, detail, kind, whole, key, children }: Item): DocumentSymbol => ({
    name: name === '' ? '-' : name,
    ...(detail === undefined || detail === '' ? {} : { detail }),
    kind,
    range: part.places.range(whole),
    selectionRange: part.places.range(key),
    children: children.filter((child) => contains(whole, child.whole)).map(protocol),
  });
  return topItems(document.data).map(protocol);
};

interface Item {
  readonly name: string;
  readonly detail?: string;
  readonly kind: SymbolKind;
  readonly whole: Span;
  /** The range that is selected on navigation; it is inside `whole`. */
  readonly key: Span;
  readonly children: readonly Item[];
}

const topItems = (data: DataNode | undefined): readonly Item[] =>
  entriesOf(data).flatMap((entry): readonly Item[] => {
    if (entry.key === 'jwt') return itemsOf(entry.value).map(authenticatorItem);
    return entry.key === 'anonymous'
      ? [sectionItem(entry, entriesOf(entry.value).flatMap(anonymousItems))]
      : [];
  });

const anonymousItems = (entry: DataEntry): readonly Item[] =>
  entry.key === 'conditions'
    ? itemsOf(entry.value).map((condition) =>
        listItem(condition, textOf(condition, 'path'), SymbolKind.String),
      )
    : [];

const authenticatorItem = (entry: DataNode, index: number): Item => {
  const url = entriesOf(entry).find(({ key }) => key === 'issuer')?.value;
  return {
    ...listItem(entry, textOf(url, 'url') ?? `jwt[${index}]`, SymbolKind.Module),
    children: entriesOf(entry).map((section) => sectionItem(section, partsOf(section))),
  };
};

const sectionItem = (entry: DataEntry, children: readonly Item[]): Item => ({
  name: displayName(entry.key),
  kind: SymbolKind.Namespace,
  whole: cover(entry.keySpan, entry.value.span),
  key: entry.keySpan,
  children,
});

const partsOf = ({ key, value }: DataEntry): readonly Item[] => {
  switch (key) {
    case 'issuer':
      return entriesOf(value).map((entry) => fieldItem(entry, lineOf(scalarText(entry.value))));
    case 'claimValidationRules':
    case 'userValidationRules':
      return itemsOf(value).map((rule) => {
        const label = textOf(rule, 'message') ?? textOf(rule, 'expression') ?? requirementOf(rule);
        return listItem(rule, label, SymbolKind.Boolean);
      });
    case 'claimMappings':
      return entriesOf(value).map((entry) =>
        entry.key === 'extra'
          ? sectionItem(entry, itemsOf(entry.value).map(extraItem))
          : fieldItem(entry, textOf(entry.value, 'expression') ?? textOf(entry.value, 'claim')),
      );
    default:
      return [];
  }
};

/** `hd = example.com` */
const requirementOf = (rule: DataNode): string | undefined => {
  const claim = textOf(rule, 'claim');
  const value = textOf(rule, 'requiredValue');
  return claim === undefined || value === undefined ? claim : `${claim} = ${value}`;
};

/** Multi-line values such as certificates have no detail. */
const lineOf = (text: string | undefined): string | undefined =>
  text?.includes('\n') === true ? undefined : text;

const extraItem = (mapping: DataNode): Item => {
  const item = listItem(mapping, textOf(mapping, 'key'), SymbolKind.Key);
  const detail = textOf(mapping, 'valueExpression');
  return detail === undefined ? item : { ...item, detail: displayName(detail) };
};

const fieldItem = (entry: DataEntry, detail: string | undefined): Item => ({
  name: displayName(entry.key),
  ...(detail === undefined ? {} : { detail: displayName(detail) }),
  kind: SymbolKind.Property,
  whole: cover(entry.keySpan, entry.value.span),
  key: entry.keySpan,
  children: [],
});

const listItem = (node: DataNode, label: string | undefined, kind: SymbolKind): Item => {
  const first = entriesOf(node)[0]?.keySpan;
  return {
    name: displayName(label ?? ''),
    kind,
    whole: node.span,
    key: first !== undefined && contains(node.span, first) ? first : node.span,
    children: [],
  };
};

/** Names come from the file and may contain any character. */
const displayName = (text: string): string =>
  text.length <= maxNameLength && ordinaryText.test(text)
    ? text
    : oneLine(text, maxNameLength).trim();

/** Matches names that need no cleaning, which is nearly all of them; there may be thousands. */
const ordinaryText = /^(?:[!-~]+(?: [!-~]+)*)?$/;

const maxNameLength = 80;

const entriesOf = (node: DataNode | undefined): readonly DataEntry[] =>
  node?.kind === 'object' ? [...node.byKey.values()] : [];

const itemsOf = (node: DataNode): readonly DataNode[] => (node.kind === 'array' ? node.items : []);

const textOf = (node: DataNode | undefined, key: string): string | undefined =>
  node?.kind === 'object' ? scalarText(node.byKey.get(key)?.value) : undefined;

/** Returns `undefined` for an empty string and for anything other than a string or a number. */
const scalarText = (node: DataNode | undefined): string | undefined => {
  if (node?.kind === 'string') return node.text === '' ? undefined : node.text;
  return node?.kind === 'number' ? node.text : undefined;
};

export const documentSymbol: Feature = {
  capabilities: { documentSymbolProvider: { label: 'AuthGraph' } },
  register(connection, handlers) {
    connection.onDocumentSymbol(handlers.forEachConfiguration(symbolsOf));
  },
};
