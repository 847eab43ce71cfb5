/** Values for parameters, made from a hostile string by the parameter's type. */
import { parseCel } from '../../engine/src/cel/syntax/parser.ts';
import { settingsFor } from '../../engine/src/compile/settings.ts';
import { newestRelease } from '../../engine/src/model/release.ts';
import { secret } from '../../engine/src/model/secret.ts';
import { verbatimMap } from '../../engine/src/source/position-map.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import type { SourceType } from './source-types.ts';

export interface ArgumentValue {
  readonly value: unknown;
}

const encoder = new TextEncoder();

/** The length of an item of a list. */
const itemLength = 16;

/** The text cut into short items, and the text as one item. */
export const itemsOf = (text: string): readonly string[] => [
  ...Array.from({ length: Math.ceil(text.length / itemLength) }, (_, index) =>
    text.slice(index * itemLength, (index + 1) * itemLength),
  ),
  text,
];

export const bytesOf = (text: string): Buffer => Buffer.from(encoder.encode(text));

const headers = (text: string): readonly object[] =>
  itemsOf(text).map((value, index) => ({ name: `x-${index}`, value }));

const recordOf = (text: string): object =>
  Object.fromEntries(itemsOf(text).map((item) => [item, item]));

/** Values of types that are more than their members. */
const namedValues: ReadonlyMap<string, (text: string) => unknown> = new Map<
  string,
  (text: string) => unknown
>([
  ['AbortSignal', () => AbortSignal.timeout(60_000)],
  ['CelValue', (text) => text],
  ['CompileSettings', () => settingsFor(newestRelease)],
  ['Fields', (text) => new Map(itemsOf(text).map((item) => [item, item]))],
  ['HeaderField', (text) => ({ name: text, value: text })],
  ['HeaderList', headers],
  [
    'KubeconfigSource',
    (text) => ({ path: 'a', directory: '/', contents: { kind: 'read', bytes: bytesOf(text) } }),
  ],
  ['Json', recordOf],
  ['JsonObject', recordOf],
  ['JsonRecord', recordOf],
  ['JsonValue', recordOf],
  [
    'LocatedString',
    (text) => ({
      value: text,
      span: { start: 0, end: text.length },
      map: verbatimMap(0, text.length),
    }),
  ],
  ['ParsedExpression', (text) => parseCel(text, { release: newestRelease })],
  ['PatchValue', recordOf],
  ['Release', () => newestRelease],
  ['Secret', (text) => secret(text)],
  ['SourceFile', (text) => sourceFile('file.yaml', text)],
  ['Span', (text) => ({ start: 0, end: text.length })],
  ['Mark', () => ({ offset: 0, index: 0, line: 0, column: 0 })],
]);

/** Nesting of named types in named types. */
const maxDepth = 3;

/** Returns `undefined` if the type has no value that can be made from a string. */
export const argumentValue = (
  type: SourceType,
  text: string,
  types: ReadonlyMap<string, SourceType>,
  depth = 0,
): ArgumentValue | undefined => {
  const makeValue = (inner: SourceType): ArgumentValue | undefined =>
    argumentValue(inner, text, types, depth + 1);
  switch (type.kind) {
    case 'string':
      return { value: text };
    case 'bytes':
      return { value: bytesOf(text) };
    case 'number':
      return { value: 0 };
    case 'boolean':
      return { value: false };
    case 'function':
      return { value: () => undefined };
    case 'null':
      return { value: undefined };
    case 'literal':
      return { value: type.value };
    case 'list':
      return containerValue(type.item, text, makeValue, (items) => items);
    case 'set':
      return containerValue(type.item, text, makeValue, (items) => new Set(items));
    case 'map':
      return containerValue(
        type.item,
        text,
        makeValue,
        (items) => new Map(items.map((item, index) => [itemsOf(text)[index] ?? `${index}`, item])),
      );
    case 'union':
      return type.types.map(makeValue).find((found) => found !== undefined);
    case 'object':
      return objectValue(type.members, makeValue);
    case 'named': {
      const make = namedValues.get(type.name);
      if (make !== undefined) return { value: make(text) };
      const declared = types.get(type.name);
      return declared === undefined || depth >= maxDepth ? undefined : makeValue(declared);
    }
    default:
      return undefined;
  }
};

/** A list of strings has many short items and a long one; other lists have a single item. */
const containerValue = (
  item: SourceType,
  text: string,
  makeValue: (type: SourceType) => ArgumentValue | undefined,
  contain: (items: readonly unknown[]) => unknown,
): ArgumentValue | undefined => {
  if (item.kind === 'string') return { value: contain(itemsOf(text)) };
  if (item.kind === 'bytes') return { value: contain(itemsOf(text).map(bytesOf)) };
  if (item.kind === 'named' && item.name === 'HeaderField')
    return { value: contain(headers(text)) };
  const single = makeValue(item);
  return single === undefined ? undefined : { value: contain([single.value]) };
};

const objectValue = (
  members: readonly {
    readonly name: string;
    readonly type: SourceType;
    readonly isOptional: boolean;
  }[],
  makeValue: (type: SourceType) => ArgumentValue | undefined,
): ArgumentValue | undefined => {
  const values: [string, unknown][] = [];
  for (const { name, type, isOptional } of members) {
    const found = makeValue(type);
    if (found === undefined && !isOptional) return undefined;
    if (found !== undefined) values.push([name, found.value]);
  }
  return { value: Object.fromEntries(values) };
};
