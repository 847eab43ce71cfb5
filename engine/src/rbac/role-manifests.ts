/**
 * Reads manifests of roles and bindings for `--rbac-file`: YAML with one or more documents, or
 * JSON; single objects or lists. Other objects are errors, and every error has a position: a role
 * that is only partly understood would grant something else than its author intended.
 */

import type { DataNode, MapData } from '../documents/yaml/data.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { toPlainValue } from '../documents/yaml/plain-value.ts';
import type { Shape, StructShape } from '../formats/go-struct/shape.ts';
import { jsonOfPlain } from '../formats/json-as-maps.ts';
import { apiDomains, rbacGroup } from '../model/api-domain.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { toStoredDomain } from '../resources/group-domain.ts';
import { kinds } from '../resources/kinds.ts';
import { rulesByResource } from '../resources/registry.ts';
import { sourceFile } from '../source/source-file.ts';
import { resourceOfKind } from './fixed-view.ts';
import { readName } from './role-objects.ts';

export interface ManifestProblem {
  /** Name of the file as the caller passed it. */
  readonly file: string;
  /** Line, counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface ManifestReading {
  /** Objects in the stored form; use them only if there are no problems. */
  readonly objects: readonly JsonObject[];
  readonly problems: readonly ManifestProblem[];
}

/** Maximum number of documents in a file. */
export const maxManifestDocuments = 1000;

/** Maximum number of reported problems per file. */
const maxProblems = 100;

/** Reads the roles and bindings of a file, or what is wrong with it. */
export const readRoleManifests = (file: string, text: string): ManifestReading =>
  readManifests(file, text, 'roles');

/** Reads objects of every stored kind, for a snapshot of a store. */
export const readObjectManifests = (file: string, text: string): ManifestReading =>
  readManifests(file, text, 'all kinds');

const readManifests = (
  file: string,
  text: string,
  accepted: Reader['accepted'],
): ManifestReading => {
  const reader: Reader = { file, accepted, objects: [], problems: [], seen: new Map() };
  const documents = documentsOf(text);
  if (documents.length > maxManifestDocuments) {
    const message = `more than ${maxManifestDocuments} documents`;
    return { objects: [], problems: [{ file, line: 1, column: 1, message }] };
  }
  for (const document of documents) readDocument(document, reader);
  return { objects: reader.objects, problems: reader.problems.slice(0, maxProblems) };
};

interface Reader {
  readonly file: string;
  readonly accepted: 'roles' | 'all kinds';
  readonly objects: JsonObject[];
  readonly problems: ManifestProblem[];
  /** Maps kind, namespace and name to the line of the first definition. */
  readonly seen: Map<string, number>;
}

export interface ManifestDocument {
  readonly text: string;
  /** Number of lines in the file before the document. */
  readonly offset: number;
}

/**
 * Splits the text at lines that begin with three dashes; the rest of such a line belongs to the
 * document.
 */
export const documentsOf = (text: string): readonly ManifestDocument[] => {
  const documents: ManifestDocument[] = [];
  let lines: string[] = [];
  let offset = 0;
  const end = (next: number): void => {
    const document = lines.join('\n');
    if (/\S/.test(document)) documents.push({ text: document, offset });
    lines = [];
    offset = next;
  };
  text.split('\n').forEach((line, number) => {
    const starts = /^---(?:\s|$)/.test(line);
    if (starts) end(number);
    lines.push(/^---\s*(?:#.*)?$/.test(line) ? '' : line);
  });
  end(0);
  return documents;
};

const readDocument = ({ text, offset }: ManifestDocument, reader: Reader): void => {
  const source = sourceFile(reader.file, text);
  const report: Report = (start, message) => {
    const { line, column } = source.positionAt(start);
    const position = { file: reader.file, line: offset + line + 1, column: column + 1 };
    reader.problems.push({ ...position, message });
  };
  const { data, failure, diagnostics } = parseDocument(source);
  for (const { span, message } of diagnostics) report(span.start, withFileLine(message, offset));
  if (failure !== undefined && diagnostics.length === 0) report(0, withFileLine(failure, offset));
  if (failure !== undefined || diagnostics.length > 0 || data === undefined) return;
  const lineOf = (start: number): number => offset + source.positionAt(start).line + 1;
  if (data.kind !== 'null') readItem(data, { report, lineOf, reader });
};

/** Converts the line in a message like `yaml: line 3: …` from the document to the file. */
const withFileLine = (message: string, offset: number): string =>
  message.replace(
    /^((?:yaml: )?line )(\d+)/,
    (_, before: string, line: string) => `${before}${Number(line) + offset}`,
  );

type Report = (offset: number, message: string) => void;

interface ManifestContext {
  readonly report: Report;
  /** Returns the line in the file, counted from 1. */
  readonly lineOf: (offset: number) => number;
  readonly reader: Reader;
}

/** The kinds of the core group. */
const coreKinds = new Set(kinds.filter(({ group }) => group === '').map(({ kind }) => kind));

export const roleVersions = new Set(apiDomains.map((domain) => `${rbacGroup(domain)}/v1`));
const roleKinds = new Set(['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']);

const readItem = (node: DataNode, context: ManifestContext): void => {
  if (node.kind !== 'object') {
    context.report(node.span.start, 'must be an object');
    return;
  }
  const [apiVersion, kind] = [stringMember(node, 'apiVersion'), stringMember(node, 'kind')];
  const isList = kind === 'List' && apiVersion === 'v1';
  const single = kind.replace(/List$/, '');
  const isCore =
    context.reader.accepted === 'all kinds' && apiVersion === 'v1' && coreKinds.has(single);
  if (isList || isCore || (roleVersions.has(apiVersion) && roleKinds.has(single))) {
    if (isList || kind.endsWith('List')) readList(node, context);
    else readObject(node, { kind, apiVersion }, context);
    return;
  }
  const shown = `${JSON.stringify(kind)} of ${JSON.stringify(apiVersion)}`;
  context.report(
    node.span.start,
    context.reader.accepted === 'roles'
      ? `expected a Role, ClusterRole, RoleBinding or ClusterRoleBinding, found ${shown}`
      : `expected one of ${kinds.map((row) => row.kind).join(', ')}, found ${shown}`,
  );
};

export const stringMember = (node: MapData, name: string): string => {
  const value = node.byKey.get(name)?.value;
  return value?.kind === 'string' ? value.text : '';
};

const listMembers = new Set(['apiVersion', 'kind', 'metadata', 'items']);

const readList = (node: MapData, context: ManifestContext): void => {
  for (const { key, keySpan } of node.entries) {
    if (!listMembers.has(key))
      context.report(keySpan.start, `unknown field ${JSON.stringify(key)}`);
  }
  const items = node.byKey.get('items')?.value;
  if (items === undefined || items.kind === 'null') return;
  if (items.kind === 'array') for (const item of items.items) readItem(item, context);
  else context.report(items.span.start, 'items must be a list');
};

const readObject = (
  node: MapData,
  { kind, apiVersion }: { readonly kind: string; readonly apiVersion: string },
  context: ManifestContext,
): void => {
  const rules = rulesByResource.get(resourceOfKind(kind));
  if (rules === undefined) throw new Error(`unreachable: a kind without rules, ${kind}`);
  const before = context.reader.problems.length;
  const members = convertStruct(node, rules.shape, { path: '', report: context.report });
  if (context.reader.problems.length > before) return;
  const domain = apiDomains.find((one) => apiVersion === `${rbacGroup(one)}/v1`) ?? 'k8s.io';
  const object = rules.applyDefaults(toStoredDomain(members, domain));
  const problems = rules.validate(object);
  for (const { field, message } of problems) {
    context.report(nodeAt(node, field).span.start, `${field}: ${message}`);
  }
  if (problems.length > 0 || rejectDuplicate(node, { kind, object }, context)) return;
  context.reader.objects.push(object);
};

const rejectDuplicate = (
  node: MapData,
  { kind, object }: { readonly kind: string; readonly object: JsonObject },
  { reader, lineOf, report }: ManifestContext,
): boolean => {
  const { namespace, name } = readName(object);
  const key = JSON.stringify([kind, namespace, name]);
  const first = reader.seen.get(key);
  const line = lineOf(node.span.start);
  if (first === undefined) reader.seen.set(key, line);
  else
    report(node.span.start, `${kind} ${JSON.stringify(name)} is already defined on line ${first}`);
  return first !== undefined;
};

interface FieldContext {
  readonly path: string;
  readonly report: Report;
}

const convertStruct = (
  node: MapData,
  shape: StructShape,
  fieldContext: FieldContext,
): JsonObject => {
  const members = new Map<string, Json>();
  for (const { key, keySpan, value, replaces } of node.entries) {
    const field = shape.fields.get(key);
    const path = fieldContext.path === '' ? key : `${fieldContext.path}.${key}`;
    if (replaces !== undefined)
      fieldContext.report(keySpan.start, `field ${JSON.stringify(path)} set twice`);
    if (field === undefined) {
      fieldContext.report(keySpan.start, `unknown field ${JSON.stringify(path)}`);
      continue;
    }
    const converted = convert(value, field, { path, report: fieldContext.report });
    if (converted !== undefined) members.set(key, converted);
  }
  return members;
};

/**
 * Converts a value. Returns `undefined` for null, and for a value of the wrong type, which is
 * reported.
 */
const convert = (node: DataNode, shape: Shape, fieldContext: FieldContext): Json | undefined => {
  if (node.kind === 'null') return undefined;
  const rejectType = (expected: string): undefined => {
    fieldContext.report(node.span.start, `${fieldContext.path} must be ${expected}`);
  };
  switch (shape.kind) {
    case 'string':
    case 'bytes':
    case 'time':
      return node.kind === 'string' ? node.text : rejectType('a string');
    case 'bool':
      return node.kind === 'bool' ? node.value : rejectType('true or false');
    case 'int32':
    case 'int64':
      return node.kind === 'number' ? Number(node.text) : rejectType('a number');
    case 'struct':
      return node.kind === 'object'
        ? convertStruct(node, shape, fieldContext)
        : rejectType('an object');
    case 'list':
      return node.kind === 'array'
        ? node.items.flatMap((item, position) => {
            const path = `${fieldContext.path}[${position}]`;
            const converted = convert(item, shape.item, { path, report: fieldContext.report });
            if (item.kind === 'null')
              fieldContext.report(item.span.start, `${path} must not be null`);
            return converted === undefined ? [] : [converted];
          })
        : rejectType('a list');
    case 'map':
      return node.kind === 'object'
        ? new Map(
            [...node.byKey].flatMap(([key, { value }]) => {
              const path = `${fieldContext.path}.${key}`;
              const converted = convert(value, shape.value, { path, report: fieldContext.report });
              return converted === undefined ? [] : [[key, converted] as const];
            }),
          )
        : rejectType('an object');
    default:
      return jsonOfPlain(toPlainValue(node));
  }
};

/** Returns the node at a path like `rules[0].verbs`, or its nearest existing parent. */
const nodeAt = (node: DataNode, field: string): DataNode => {
  let nearest = node;
  for (const [, name, position] of field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const next: DataNode | undefined =
      nearest.kind === 'array'
        ? nearest.items[Number(position)]
        : nearest.kind === 'object'
          ? nearest.byKey.get(name ?? '')?.value
          : undefined;
    if (next === undefined) return nearest;
    nearest = next;
  }
  return nearest;
};
