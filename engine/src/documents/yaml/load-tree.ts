/**
 * Converts a tree to data like kube-apiserver's YAML loader: aliases are followed, merges are
 * applied, YAML 1.1 scalars are resolved, keys become strings. The first error ends the conversion;
 * duplicate keys are recorded, the last one wins.
 */
import type { PositionMap } from '../../source/position-map.ts';
import type { Span } from '../../source/span.ts';
import {
  type BoolData,
  type DataEntry,
  type DataNode,
  mapData,
  type NullData,
  type StringData,
} from './data.ts';
import type { AliasNode, ConfigDocument, MappingNode, ScalarNode, YamlNode } from './document.ts';
import { goFloatKey, goSyntax, type LoadedValue } from './go-syntax.ts';
import { YamlError } from './text-cursor.ts';
import { decoderError } from './yaml-errors.ts';
import { readScalar, type ScalarValue } from './yaml-scalar.ts';

export interface DuplicateKey {
  readonly key: string;
  readonly keySpan: Span;
  readonly firstSpan: Span;
  /** A message such as `line 12: key "kind" already set in map`. */
  readonly message: string;
}

export interface LoadedTree {
  readonly data: DataNode | undefined;
  readonly duplicates: readonly DuplicateKey[];
  /** The error in the words of the loader, with its prefix. */
  readonly failure: { readonly message: string; readonly span: Span } | undefined;
  /** Number of nodes visited with aliases expanded. */
  readonly expandedNodes: number;
}

/** Values below this level are read as null; no field of the configuration is nested as deeply. */
const maxReadDepth = 1000;

export const loadTree = (root: ConfigDocument['root']): LoadedTree => new TreeLoader().load(root);

interface LoadedNode {
  readonly value: LoadedValue;
  readonly data: DataNode;
}

interface Slot {
  readonly key: LoadedValue;
  readonly text: string | undefined;
  /** Equal for keys of the same kind that are the same key. */
  readonly identity: string;
  readonly keySpan: Span;
  readonly loaded: LoadedNode;
}

interface UnsupportedValue {
  readonly message: string;
  readonly span: Span;
  readonly isKey?: true;
}

interface OpenMap {
  readonly slots: Slot[];
  /** The span of the first key with each identity; only in a long map. */
  firstByKey: Map<string, Span> | undefined;
}

/** Fewer keys than this are compared with each other. */
const shortMapLength = 16;

class TreeLoader {
  readonly #duplicates: DuplicateKey[] = [];
  readonly #openAliases = new Set<AliasNode>();
  #count = 0;
  #aliasCount = 0;
  #aliasDepth = 0;
  #depth = 0;
  /** Values that JSON cannot represent. The loader reports them after everything was read. */
  readonly #unsupported = new Map<LoadedValue, UnsupportedValue>();

  load(root: YamlNode | undefined): LoadedTree {
    this.#count = 1;
    try {
      if (root === undefined) return this.#result(undefined, undefined);
      const { value, data } = this.#load(root);
      return this.#result(data, this.#firstUnsupported(value));
    } catch (problem) {
      if (!(problem instanceof YamlError)) throw problem;
      return this.#result(undefined, {
        message: `yaml: ${problem.reason}`,
        span: { start: problem.start, end: problem.end },
      });
    }
  }

  #result(data: DataNode | undefined, failure: LoadedTree['failure']): LoadedTree {
    return { data, failure, duplicates: this.#duplicates, expandedNodes: this.#count };
  }

  #visit(node: YamlNode): void {
    this.#count += 1;
    if (this.#aliasDepth > 0) this.#aliasCount += 1;
    const ratio = this.#aliasCount / this.#count;
    if (this.#aliasCount > 100 && this.#count > 1000 && ratio > allowedAliasRatio(this.#count))
      throw decoderError('document contains excessive aliasing', node.span);
  }

  #load(node: YamlNode): LoadedNode {
    this.#visit(node);
    if (node.kind === 'alias') return this.#follow(node, (target) => this.#load(target));
    if (node.kind === 'scalar') return this.#scalar(node);
    this.#depth += 1;
    const loaded =
      this.#depth > maxReadDepth
        ? loadedNull(node.span)
        : node.kind === 'sequence'
          ? this.#sequence(node.items, node.span)
          : this.#mapping(node);
    this.#depth -= 1;
    return loaded;
  }

  #follow<T>(alias: AliasNode, read: (target: YamlNode) => T): T {
    if (this.#openAliases.has(alias))
      throw decoderError(`anchor '${alias.name}' value contains itself`, alias.span);
    this.#openAliases.add(alias);
    this.#aliasDepth += 1;
    const result = read(alias.target);
    this.#aliasDepth -= 1;
    this.#openAliases.delete(alias);
    return result;
  }

  #scalar(node: ScalarNode): LoadedNode {
    const { span } = node;
    if (node.tag === '' && !node.implicit) return loadedString(node, node.text);
    const reading = readScalar(node.text, node.tag);
    if (!reading.ok) throw decoderError(reading.problem, span);
    const value = reading.value;
    switch (value.kind) {
      case 'null':
        return selfValued({ kind: 'null', span });
      case 'bool':
        return selfValued({ kind: 'bool', span, value: value.value });
      case 'int':
        return { value, data: { kind: 'number', span, text: String(value.value) } };
      case 'float':
        if (!Number.isFinite(value.value))
          this.#unsupported.set(value, { message: unsupportedNumber(value.value), span });
        return { value, data: { kind: 'number', span, text: String(value.value) } };
      case 'string':
        return loadedString(node, value.text);
    }
  }

  /**
   * Returns the first unsupported value: keys come before numbers, and replaced entries are
   * ignored.
   */
  #firstUnsupported(root: LoadedValue): UnsupportedValue | undefined {
    if (this.#unsupported.size === 0) return undefined;
    let number: UnsupportedValue | undefined;
    const pending = [root];
    for (let value = pending.shift(); value !== undefined; value = pending.shift()) {
      number ??= this.#unsupported.get(value);
      if (value.kind === 'array') pending.unshift(...value.items);
      else if (value.kind === 'object') {
        const entries = value.entries();
        const key = entries.find((entry) => this.#unsupported.get(entry.key)?.isKey === true)?.key;
        if (key !== undefined) return this.#unsupported.get(key);
        pending.unshift(...entries.map((entry) => entry.value));
      }
    }
    return number;
  }

  #sequence(items: readonly YamlNode[], span: Span): LoadedNode {
    const values: LoadedValue[] = [];
    const data: DataNode[] = [];
    for (const item of items) {
      const loaded = this.#load(item);
      values.push(loaded.value);
      data.push(loaded.data);
    }
    return {
      value: { kind: 'array', items: values },
      data: { kind: 'array', span, items: data },
    };
  }

  #mapping(node: MappingNode): LoadedNode {
    if (node.entries.length === 0) return { value: emptyObject, data: mapData(node.span, []) };
    const slots: Slot[] = [];
    this.#fill({ slots, firstByKey: undefined }, node);
    const entries: Omit<DataEntry, 'replaces'>[] = [];
    for (const { text, keySpan, loaded } of slots) {
      if (text !== undefined) entries.push({ key: text, keySpan, value: loaded.data });
    }
    return {
      value: {
        kind: 'object',
        // Only a few messages print a value.
        entries: () => lastSlots(slots).map(({ key, loaded }) => ({ key, value: loaded.value })),
      },
      data: mapData(node.span, entries),
    };
  }

  #fill(open: OpenMap, node: MappingNode): void {
    for (const { key, value } of node.entries) {
      if (isMergeKey(key)) this.#merge(open, value);
      else this.#set(open, key, value);
    }
  }

  #set(open: OpenMap, keyNode: YamlNode, valueNode: YamlNode): void {
    const key = this.#load(keyNode).value;
    if (key.kind === 'array' || key.kind === 'object')
      throw decoderError(`invalid map key: ${goSyntax(key)}`, keyNode.span);
    const loaded = this.#load(valueNode);
    const keySpan = keyNode.span;
    const identity = key.kind === 'string' ? key.text : goSyntax(key);
    const text = keyText(key);
    const slot: Slot = { key, text, identity, keySpan, loaded };
    const firstSpan = earlierSpan(open, slot);
    if (firstSpan !== undefined)
      this.#duplicates.push({
        key: text ?? '',
        keySpan,
        firstSpan,
        message: `line ${valueNode.line + 1}: key ${goSyntax(key)} already set in map`,
      });
    if (text === undefined)
      this.#unsupported.set(key, {
        message: `unsupported map key of type: ${key.kind === 'null' ? '%!s(<nil>)' : 'uint64'}, key: ${goSyntax(key)}, value: ${goSyntax(loaded.value)}`,
        span: keySpan,
        isKey: true,
      });
    open.slots.push(slot);
  }

  #merge(open: OpenMap, node: YamlNode): void {
    if (node.kind === 'sequence') {
      // The last map is merged first, so that earlier maps win.
      for (const item of node.items.toReversed()) {
        requireMap(item);
        this.#mergeMap(open, item);
      }
      return;
    }
    requireMap(node);
    this.#mergeMap(open, node);
  }

  #mergeMap(open: OpenMap, node: YamlNode): void {
    this.#visit(node);
    if (node.kind === 'mapping') this.#fill(open, node);
    else if (node.kind === 'alias') this.#follow(node, (target) => this.#mergeMap(open, target));
  }
}

/** Returns the span of an earlier key that is the same. */
const earlierSpan = (
  open: OpenMap,
  { key: { kind }, identity, keySpan }: Slot,
): Span | undefined => {
  const { slots } = open;
  if (slots.length < shortMapLength) {
    for (const slot of slots)
      if (slot.identity === identity && slot.key.kind === kind) return slot.keySpan;
    return undefined;
  }
  open.firstByKey ??= new Map(
    slots.toReversed().map((slot) => [`${slot.key.kind} ${slot.identity}`, slot.keySpan]),
  );
  const name = `${kind} ${identity}`;
  const first = open.firstByKey.get(name);
  if (first === undefined) open.firstByKey.set(name, keySpan);
  return first;
};

const emptyObject: LoadedValue = { kind: 'object', entries: () => [] };

const requireMap = (node: YamlNode): void => {
  const target = node.kind === 'alias' ? node.target : node;
  if (target.kind !== 'mapping')
    throw decoderError('map merge requires map or sequence of maps as the value', node.span);
};

const isMergeKey = (key: YamlNode): boolean =>
  key.kind === 'scalar' &&
  key.text === '<<' &&
  (key.implicit || key.tag === 'tag:yaml.org,2002:merge');

const loadedString = (node: ScalarNode, text: string): LoadedNode => {
  const map = text === node.text ? node.map : wholeMap(node, text);
  return selfValued({ kind: 'string', span: node.span, text, map });
};

/** Maps a text that differs from that of its scalar, as one piece. */
const wholeMap = ({ span: { end }, map: { pieces } }: ScalarNode, text: string): PositionMap => {
  const file = pieces[0]?.file ?? end;
  return { pieces: [{ decoded: 0, decodedLength: text.length, file, fileLength: end - file }] };
};

const loadedNull = (span: Span): LoadedNode => selfValued({ kind: 'null', span });

/** Returns data that is its own value; readers of values ignore the other members. */
const selfValued = (data: StringData | BoolData | NullData): LoadedNode => ({ value: data, data });

const lastSlots = (slots: readonly Slot[]): readonly Slot[] => [
  ...new Map(slots.map((slot) => [`${slot.key.kind} ${slot.text}`, slot])).values(),
];

/** Returns a key as JSON writes it; `undefined` if JSON cannot represent it. */
const keyText = (key: ScalarValue | LoadedValue): string | undefined => {
  switch (key.kind) {
    case 'string':
      return key.text;
    case 'int':
      return key.value > 2n ** 63n - 1n ? undefined : String(key.value);
    case 'float':
      return goFloatKey(key.value);
    case 'bool':
      return String(key.value);
    default:
      return undefined;
  }
};

const unsupportedNumber = (value: number): string =>
  `json: unsupported value: ${Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'}`;

/**
 * Returns the ratio of visited nodes that may come from aliases: 99 % in small documents, 10 % in
 * very large ones.
 */
const allowedAliasRatio = (count: number): number => {
  const small = 400_000;
  const large = 4_000_000;
  if (count <= small) return 0.99;
  if (count >= large) return 0.1;
  return 0.99 - 0.89 * ((count - small) / (large - small));
};
