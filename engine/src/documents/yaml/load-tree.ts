/**
 * Converts a tree to data like kube-apiserver's YAML loader: aliases are followed, merges are
 * applied, YAML 1.1 scalars are resolved, keys become strings. The first error ends the conversion;
 * duplicate keys are recorded, the last one wins.
 */
import type { PositionMap } from '../../source/position-map.ts';
import type { Span } from '../../source/span.ts';
import { type DataEntry, type DataNode, type MapData, mapData, type StringData } from './data.ts';
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

interface Slot {
  readonly key: LoadedValue;
  /** The key as JSON writes it; `undefined` if JSON cannot represent it. */
  readonly text: string | undefined;
  readonly value: DataNode;
}

interface UnsupportedValue {
  /** Created for the one that is reported: a message prints a whole value. */
  readonly message: () => string;
  readonly span: Span;
  readonly isKey?: true;
}

interface OpenMap {
  readonly entries: DataEntry[];
  readonly byKey: Map<string, DataEntry>;
  /** Present once a key is not a string: keys of several kinds may have one text. */
  mixed: MixedKeys | undefined;
}

interface MixedKeys {
  readonly slots: Slot[];
  /** The span of the first key of each kind and identity. */
  readonly firstByKey: Map<string, Span>;
}

class TreeLoader {
  readonly #duplicates: DuplicateKey[] = [];
  readonly #openAliases = new Set<AliasNode>();
  #count = 0;
  #aliasCount = 0;
  #aliasDepth = 0;
  #depth = 0;
  /** Values that JSON cannot represent. The loader reports them after everything was read. */
  readonly #unsupported = new Map<LoadedValue | DataNode, UnsupportedValue>();
  /** What data does not contain, but messages print: floats, and keys that are not strings. */
  readonly #floats = new Map<DataNode, LoadedValue>();
  readonly #slots = new Map<DataNode, readonly Slot[]>();
  /** The span of the first key that is equal to a repeated one. */
  readonly #firstSpans = new Map<DataEntry, Span>();

  load(root: YamlNode | undefined): LoadedTree {
    this.#count = 1;
    try {
      if (root === undefined) return this.#result(undefined, undefined);
      const data = this.#load(root);
      const unsupported = this.#firstUnsupported(data);
      return this.#result(
        data,
        unsupported && { message: unsupported.message(), span: unsupported.span },
      );
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
    if (this.#aliasCount <= 100 || this.#count <= 1000) return;
    if (this.#aliasCount / this.#count > allowedAliasRatio(this.#count))
      throw decoderError('document contains excessive aliasing', node.span);
  }

  #load(node: YamlNode): DataNode {
    this.#visit(node);
    if (node.kind === 'alias') return this.#follow(node, (target) => this.#load(target));
    if (node.kind === 'scalar') return this.#scalar(node);
    this.#depth += 1;
    const loaded =
      this.#depth > maxReadDepth
        ? ({ kind: 'null', span: node.span } as const)
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

  #scalar(node: ScalarNode): DataNode {
    const { span } = node;
    const value = scalarValue(node);
    switch (value.kind) {
      case 'null':
        return { kind: 'null', span };
      case 'bool':
        return { kind: 'bool', span, value: value.value };
      case 'string':
        return stringData(node, value.text);
      case 'int':
        return { kind: 'number', span, text: String(value.value) };
      case 'float': {
        const data: DataNode = { kind: 'number', span, text: String(value.value) };
        this.#floats.set(data, value);
        if (!Number.isFinite(value.value))
          this.#unsupported.set(data, { message: () => unsupportedNumber(value.value), span });
        return data;
      }
    }
  }

  /** Returns a value with the kinds of numbers and keys; only a few messages print it. */
  #valueOf(data: DataNode): LoadedValue {
    switch (data.kind) {
      case 'number':
        return this.#floats.get(data) ?? { kind: 'int', value: BigInt(data.text) };
      case 'array':
        return { kind: 'array', items: data.items.map((item) => this.#valueOf(item)) };
      case 'object':
        return {
          kind: 'object',
          entries: () =>
            this.#slotsOf(data).map(({ key, value }) => ({ key, value: this.#valueOf(value) })),
        };
      default:
        return data;
    }
  }

  /** Returns the effective entry of each key. */
  #slotsOf(data: MapData): readonly Pick<Slot, 'key' | 'value'>[] {
    const slots = this.#slots.get(data);
    if (slots !== undefined) return lastSlots(slots);
    return Array.from(data.byKey, ([text, { value }]) => ({
      key: { kind: 'string', text },
      value,
    }));
  }

  /**
   * Returns the first unsupported value: keys come before numbers, and replaced entries are
   * ignored.
   */
  #firstUnsupported(root: DataNode): UnsupportedValue | undefined {
    if (this.#unsupported.size === 0) return undefined;
    let number: UnsupportedValue | undefined;
    // The next value comes last.
    const pending = [root];
    for (let data = pending.pop(); data !== undefined; data = pending.pop()) {
      number ??= this.#unsupported.get(data);
      if (data.kind === 'array') for (const item of data.items.toReversed()) pending.push(item);
      else if (data.kind === 'object') {
        const slots = this.#slotsOf(data);
        const slot = slots.find(({ key }) => this.#unsupported.get(key)?.isKey === true);
        if (slot !== undefined) return this.#unsupported.get(slot.key);
        for (const { value } of slots.toReversed()) pending.push(value);
      }
    }
    return number;
  }

  #sequence(items: readonly YamlNode[], span: Span): DataNode {
    return { kind: 'array', span, items: items.map((item) => this.#load(item)) };
  }

  #mapping(node: MappingNode): DataNode {
    const open: OpenMap = { entries: [], byKey: new Map(), mixed: undefined };
    this.#fill(open, node);
    const { entries, byKey, mixed } = open;
    const data: MapData =
      entries.length === 0
        ? mapData(node.span, [])
        : // A copy has no memory reserved for more entries.
          { kind: 'object', span: node.span, entries: entries.slice(), byKey };
    if (mixed !== undefined) this.#slots.set(data, mixed.slots);
    return data;
  }

  #fill(open: OpenMap, node: MappingNode): void {
    for (const { key, value } of node.entries) {
      if (isMergeKey(key)) this.#merge(open, value);
      else this.#set(open, key, value);
    }
  }

  #set(open: OpenMap, keyNode: YamlNode, valueNode: YamlNode): void {
    const key = this.#loadKey(keyNode);
    const value = this.#load(valueNode);
    const keySpan = keyNode.span;
    const text = keyText(key);
    if (key.kind !== 'string') open.mixed ??= mixedKeys(open);
    const replaces = text === undefined ? undefined : open.byKey.get(text);
    const firstSpan =
      open.mixed === undefined
        ? replaces && (this.#firstSpans.get(replaces) ?? replaces.keySpan)
        : addSlot(open.mixed, { key, text, value }, keySpan);
    if (firstSpan !== undefined)
      this.#duplicates.push({
        key: text ?? '',
        keySpan,
        firstSpan,
        message: `line ${valueNode.line + 1}: key ${goSyntax(key)} already set in map`,
      });
    if (text === undefined) {
      this.#unsupported.set(key, {
        message: () =>
          `unsupported map key of type: ${key.kind === 'null' ? '%!s(<nil>)' : 'uint64'}, key: ${goSyntax(key)}, value: ${goSyntax(this.#valueOf(value))}`,
        span: keySpan,
        isKey: true,
      });
      return;
    }
    const entry: DataEntry = { key: text, keySpan, value, replaces };
    if (firstSpan !== undefined) this.#firstSpans.set(entry, firstSpan);
    open.entries.push(entry);
    open.byKey.set(text, entry);
  }

  #loadKey(node: YamlNode): LoadedValue {
    if (node.kind === 'scalar') {
      this.#visit(node);
      return scalarValue(node);
    }
    const key = this.#valueOf(this.#load(node));
    if (key.kind === 'array' || key.kind === 'object')
      throw decoderError(`invalid map key: ${goSyntax(key)}`, node.span);
    return key;
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

/** Returns the keys of a map with their kinds, all of which are strings so far. */
const mixedKeys = ({ entries }: OpenMap): MixedKeys => {
  const mixed: MixedKeys = { slots: [], firstByKey: new Map() };
  for (const { key: text, keySpan, value } of entries)
    addSlot(mixed, { key: { kind: 'string', text }, text, value }, keySpan);
  return mixed;
};

/** Adds a slot; returns the span of the first key that is the same. */
const addSlot = ({ slots, firstByKey }: MixedKeys, slot: Slot, keySpan: Span): Span | undefined => {
  slots.push(slot);
  const { key } = slot;
  const name = `${key.kind} ${key.kind === 'string' ? key.text : goSyntax(key)}`;
  const first = firstByKey.get(name);
  if (first === undefined) firstByKey.set(name, keySpan);
  return first;
};

const requireMap = (node: YamlNode): void => {
  const target = node.kind === 'alias' ? node.target : node;
  if (target.kind !== 'mapping')
    throw decoderError('map merge requires map or sequence of maps as the value', node.span);
};

const isMergeKey = (key: YamlNode): boolean =>
  key.kind === 'scalar' &&
  key.text === '<<' &&
  (key.implicit || key.tag === 'tag:yaml.org,2002:merge');

/** Resolves a scalar; throws the error of the loader. */
const scalarValue = (node: ScalarNode): ScalarValue => {
  if (node.tag === '' && !node.implicit) return { kind: 'string', text: node.text };
  const reading = readScalar(node.text, node.tag);
  if (!reading.ok) throw decoderError(reading.problem, node.span);
  return reading.value;
};

const stringData = (node: ScalarNode, text: string): StringData => {
  const map = text === node.text ? node.map : wholeMap(node, text);
  return { kind: 'string', span: node.span, text, map };
};

/** Maps a text that differs from that of its scalar, as one piece. */
const wholeMap = ({ span: { end }, map: { pieces } }: ScalarNode, text: string): PositionMap => {
  const file = pieces[0]?.file ?? end;
  return { pieces: [{ decoded: 0, decodedLength: text.length, file, fileLength: end - file }] };
};

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
