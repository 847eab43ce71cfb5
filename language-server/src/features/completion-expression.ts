/** Completion inside an expression: variables, functions, macros, and the claims of the samples. */
import {
  type CelType,
  constantNames,
  type DraftPlace,
  displayValue,
  documentedClaims,
  draftPlace,
  escapeName,
  formatCelType,
  globalNames,
  idiomsOf,
  macroVariableTypes,
  memberNames,
  namespaceNames,
  needsDyn,
  oneLine,
  span,
} from '@authgraph/engine/language';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import {
  celStringContent,
  fieldsOfValues,
  isIdentifier,
  type SampleField,
} from './claim-fields.ts';
import { claimsOfIssuer, issuerOfEntry } from './completion-issuer.ts';
import { type ItemParts, insideLiteral, insideScalar, itemOf, quoted } from './completion-item.ts';
import { nameItem } from './completion-names.ts';
import { type ExpressionPlace, environmentOf, fileSpanOf } from './expression-place.ts';
import { block, cell, table } from './markdown.ts';
import { typeOfPlacedPart, valuesOfPart } from './sample-values.ts';

export const completeExpression = (place: ExpressionPlace): readonly CompletionItem[] => {
  const { context, value, text, offset, cursor } = place;
  const { places, compilation } = context.part;
  const isPlain = value.scalar.style === 'plain';
  // In JSON an expression starts with a quote.
  const parts = isPlain && value.layout === 'json' ? [] : partsAt(place, draftPlace(text, offset));
  const isGlued = isPlain && compilation.document.source.text[cursor - 1] === ':' && text === '';
  return [...idiomItems(place), ...parts].map((item) =>
    itemOf(places, isGlued ? { ...item, pieces: [' ', ...item.pieces] } : item),
  );
};

const partsAt = (place: ExpressionPlace, at: DraftPlace): readonly ItemParts[] => {
  switch (at.kind) {
    case 'name':
      return atName(place, at);
    case 'member':
      return atMember(place, at);
    case 'index':
      return atIndex(place, at);
    case 'string':
      return atString(place, at);
    default:
      return [];
  }
};

/** Returns complete expressions, offered while the expression is empty. */
const idiomItems = (place: ExpressionPlace): readonly ItemParts[] => {
  const { value, text, cursor } = place;
  if (text.trim() !== '' || text.includes('\n')) return [];
  const isWhole = value.scalar.style === 'plain';
  return idiomsOf(value.path).map((idiom, order) => ({
    label: idiom.label,
    kind: CompletionItemKind.Snippet,
    detail: idiom.text,
    documentation: block('cel', idiom.text),
    pieces: [isWhole ? quoted(idiom.text) : insideScalar(idiom.text, value.scalar)],
    span: span(cursor, cursor),
    filter: `${idiom.label} ${idiom.text}`,
    sort: `2${order}`,
  }));
};

/**
 * Returns the span of the token before the cursor, or of the whole token if the cursor is inside
 * it.
 */
const wordSpan = (place: ExpressionPlace, { word }: DraftPlace) =>
  fileSpanOf(place, word.start === place.offset ? span(word.start, word.start) : word);

const atName = (place: ExpressionPlace, at: DraftPlace): readonly ItemParts[] => {
  const where = wordSpan(place, at);
  const environment = environmentOf(place);
  const locals = macroVariableTypes(place.text, at.bindings, environment);
  const variable = (name: string, type: CelType, sort: string): ItemParts => ({
    label: name,
    kind: CompletionItemKind.Variable,
    detail: formatCelType(type),
    aside: formatCelType(type),
    pieces: [name],
    span: where,
    sort: `${sort}${name}`,
  });
  return [
    ...[...locals].toReversed().map(([name, type]) => variable(name, type, '0')),
    ...[...environment.variables].map(([name, type]) => variable(name, type, '1')),
    ...constantNames.map(
      (name): ItemParts => ({
        label: name,
        kind: CompletionItemKind.Keyword,
        pieces: [name],
        span: where,
        sort: `7${name}`,
      }),
    ),
    ...globalNames(place).map((known) => nameItem(place, { known, where, form: 'global', at })),
  ];
};

const atMember = (place: ExpressionPlace, at: DraftPlace): readonly ItemParts[] => {
  const { receiver, bindings, isOptional } = at;
  if (receiver === undefined) return [];
  const where = wordSpan(place, at);
  const written = place.text.slice(receiver.start, receiver.end);
  const isVariable = bindings.some(({ names }) => names.includes(written));
  const inNamespace = isVariable ? [] : namespaceNames(written, place);
  if (inNamespace.length > 0 && !isOptional)
    return inNamespace.map((known) =>
      nameItem(place, { known, where, form: 'global', at, namespace: `${written}.` }),
    );
  const part = { span: receiver, bindings };
  const values = valuesOfPart(place, part);
  const { declared, likely } = typeOfPlacedPart(place, part, values);
  const fields = fieldItems(place, at, { values: fieldsOfValues(values), declared });
  // The variable itself (`claims`, `user`) has no useful member functions.
  if (isOptional || likely === undefined || written === place.environment) return fields;
  return [
    ...fields,
    ...memberNames(likely, place).map((known) =>
      nameItem(place, { known, where, form: 'member', at, asList: needsDyn(declared) }),
    ),
  ];
};

interface FieldSources {
  readonly values: readonly SampleField[];
  readonly declared: CelType | undefined;
}

const fieldItems = (
  place: ExpressionPlace,
  at: DraftPlace,
  { values, declared }: FieldSources,
): readonly ItemParts[] => {
  const seen = values.map((field, order) =>
    fieldItem(place, at, {
      name: field.name,
      aside: oneLine(displayValue(field.seen[0]?.value ?? null), 40),
      documentation: valuesTable(field),
      sort: `${field.inCurrent ? 0 : 1}${String(order).padStart(3, '0')}`,
    }),
  );
  const names = new Set(values.map(({ name }) => name));
  const declaredFields =
    declared?.kind === 'object' ? (environmentOf(place).fieldsOf(declared.name) ?? []) : [];
  const own = [...declaredFields]
    .filter(([name]) => !names.has(name))
    .map(([name, type]) =>
      fieldItem(place, at, { name, aside: formatCelType(type), sort: `1${name}` }),
    );
  const documented = documentedClaims(place.text, at, place.environment);
  const issuer =
    documented.length === 0 ? undefined : issuerOfEntry(place.context.part, place.index);
  const sent = claimsOfIssuer(issuer, names);
  const fromIssuer = sent.map((claim, order) =>
    fieldItem(place, at, { ...claim, sort: `2${String(order).padStart(3, '0')}` }),
  );
  const usual = documented
    .filter(({ name }) => !names.has(name) && !sent.some((claim) => claim.name === name))
    .map(({ name, type, doc, source }, order) =>
      fieldItem(place, at, {
        name,
        aside: type,
        documentation: source === '' ? doc : `${doc} ${source}.`,
        sort: `3${String(order).padStart(3, '0')}`,
      }),
    );
  return [...seen, ...own, ...fromIssuer, ...usual];
};

const valuesTable = ({ name, seen }: SampleField): string =>
  table(
    ['sample', cell(name)],
    seen.slice(0, 8).map(({ sample, value }) => [cell(sample), cell(displayValue(value))]),
  );

interface FieldItem {
  readonly name: string;
  readonly aside: string;
  readonly documentation?: string;
  readonly sort: string;
}

/**
 * Returns the item for a member. A name that is not an identifier replaces the dot with brackets.
 */
const fieldItem = (
  place: ExpressionPlace,
  at: DraftPlace,
  { name, aside, documentation, sort }: FieldItem,
): ItemParts => {
  const written = fieldText(place, at, name);
  const replacesDot = !isIdentifier(written);
  const key = literal(place, written, quoteFor(place));
  const word = wordSpan(place, at);
  const dot = fileSpanOf(place, span(at.access.start, at.access.end));
  const label = oneLine(name, 80);
  return {
    label,
    kind: CompletionItemKind.Field,
    detail: aside,
    aside,
    ...(documentation === undefined ? {} : { documentation }),
    pieces: [replacesDot ? `[${at.isOptional ? '?' : ''}${key}]` : written],
    span: replacesDot ? span(dot.start, Math.max(dot.start, word.end)) : word,
    filter: replacesDot ? `${at.isOptional ? '.?' : '.'}${label}` : label,
    sort,
  };
};

/**
 * Returns a member's name as CEL spells it. Names are unescaped on lookup, except for variables
 * bound by a macro.
 */
const fieldText = (
  { text }: ExpressionPlace,
  { receiver, bindings }: DraftPlace,
  name: string,
): string => {
  const written = text.slice(receiver?.start, receiver?.end);
  const [root = ''] = /^\w+/.exec(written) ?? [];
  return bindings.some(({ names }) => names.includes(root)) ? name : escapeName(name);
};

/** Returns a CEL string literal, quotes included, as written in the file. */
const literal = (place: ExpressionPlace, text: string, quote: string): string => {
  const mark = insideScalar(quote, place.value.scalar);
  return `${mark}${literalInside(place, text, quote)}${mark}`;
};

const literalInside = ({ value }: ExpressionPlace, text: string, quote: string): string =>
  insideLiteral(celStringContent(text, quote), value.scalar);

/** Returns a quote character that needs no escape in the scalar. */
const quoteFor = ({ value }: ExpressionPlace): '"' | "'" =>
  value.scalar.style === 'double' ? "'" : '"';

const atIndex = (place: ExpressionPlace, at: DraftPlace): readonly ItemParts[] => {
  const { receiver, bindings, quote, word } = at;
  if (receiver === undefined) return [];
  const values = valuesOfPart(place, { span: receiver, bindings });
  const behind = place.text.slice(word.end);
  const where = quote === '' ? wordSpan(place, at) : fileSpanOf(place, word);
  const keys = fieldsOfValues(values).map(({ name, seen, inCurrent }, order): ItemParts => {
    const written = fieldText(place, at, name);
    const text =
      quote === ''
        ? literal(place, written, quoteFor(place)) + (behind.startsWith(']') ? '' : ']')
        : literalInside(place, written, quote) +
          insideScalar(closing(behind, quote), place.value.scalar);
    const aside = oneLine(displayValue(seen[0]?.value ?? null), 40);
    return {
      label: oneLine(name, 80),
      kind: CompletionItemKind.Field,
      detail: aside,
      aside,
      documentation: valuesTable({ name, seen, inCurrent }),
      pieces: [text],
      span: where,
      filter: quote === '' ? `${quoteFor(place)}${name}` : name,
      sort: `${inCurrent ? 0 : 1}${String(order).padStart(3, '0')}`,
    };
  });
  return quote === '' && word.end > word.start ? [...keys, ...atName(place, at)] : keys;
};

/** Returns the missing end of a literal and its bracket. */
const closing = (behind: string, quote: string): string => {
  if (behind.startsWith(`${quote}]`)) return '';
  return behind.startsWith(quote) ? '' : `${quote}]`;
};

/** Returns the strings that samples have on the other side of a comparison. */
const atString = (place: ExpressionPlace, at: DraftPlace): readonly ItemParts[] => {
  const { comparedWith, bindings, quote, word } = at;
  if (comparedWith === undefined || (quote !== '"' && quote !== "'")) return [];
  const values = valuesOfPart(place, { span: comparedWith, bindings });
  const byText = new Map<string, string>();
  for (const { sample, values: sampleValues } of values)
    for (const value of sampleValues)
      if (typeof value === 'string' && value.length <= maxStringLength && byText.size < maxStrings)
        byText.set(value, byText.get(value) ?? sample.name);
  const missing = place.text.slice(word.end).startsWith(quote) ? '' : quote;
  return [...byText].map(([text, sample], order) => ({
    label: oneLine(text, 80),
    kind: CompletionItemKind.Value,
    aside: oneLine(sample, 40),
    pieces: [literalInside(place, text, quote) + insideScalar(missing, place.value.scalar)],
    span: fileSpanOf(place, word),
    filter: text,
    sort: String(order).padStart(3, '0'),
  }));
};

const maxStringLength = 200;
const maxStrings = 50;
