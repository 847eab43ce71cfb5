/**
 * Roles and bindings in files, for `--rbac-file`: YAML of several documents, or JSON; single objects or
 * lists of them. Nothing else may stand in such a file, and every mistake is told with its place: a
 * role that is half understood grants something else than its author thinks.
 */
import type { DataNode, MapData } from '../documents/yaml/data.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { apiDomains, rbacGroup } from '../model/api-domain.ts';
import type { Json, JsonObject } from '../model/json.ts';
import { toStoredDomain } from '../resources/group-domain.ts';
import { rulesByResource } from '../resources/registry.ts';
import type { Shape, StructShape } from '../resources/shape.ts';
import { sourceFile } from '../source/source-file.ts';
import { resourceOfKind } from './fixed-view.ts';
import { readName } from './role-objects.ts';

export interface ManifestProblem {
  /** As the caller named the file. */
  readonly file: string;
  /** From one on. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface ManifestReading {
  /** In the stored form; only to be used where there is no problem. */
  readonly objects: readonly JsonObject[];
  readonly problems: readonly ManifestProblem[];
}

/** Documents of one file; more are not read. */
const maxManifestDocuments = 1000;

/** Problems of one file that are told. */
const maxProblems = 100;

/** The roles and bindings of a file, or what is wrong with it. */
export const readRoleManifests = (file: string, text: string): ManifestReading => {
  const reader: Reader = { file, objects: [], problems: [], seen: new Map() };
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
  readonly objects: JsonObject[];
  readonly problems: ManifestProblem[];
  /** Kind, namespace and name -> line. */
  readonly seen: Map<string, number>;
}

interface ManifestDocument {
  readonly text: string;
  /** Lines of the file before it. */
  readonly offset: number;
}

/** At lines that begin with three dashes; what follows them on the line belongs to the document. */
const documentsOf = (text: string): readonly ManifestDocument[] => {
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

/** `yaml: line 3: …` of a document -> the line of the file. */
const withFileLine = (message: string, offset: number): string =>
  message.replace(
    /^((?:yaml: )?line )(\d+)/,
    (_, before: string, line: string) => `${before}${Number(line) + offset}`,
  );

type Report = (offset: number, message: string) => void;

interface ManifestContext {
  readonly report: Report;
  /** Line of the file, from one on. */
  readonly lineOf: (offset: number) => number;
  readonly reader: Reader;
}

const roleVersions = new Set(apiDomains.map((domain) => `${rbacGroup(domain)}/v1`));
const roleKinds = new Set(['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']);

const readItem = (node: DataNode, context: ManifestContext): void => {
  if (node.kind !== 'object') {
    context.report(node.span.start, 'must be an object');
    return;
  }
  const [apiVersion, kind] = [stringMember(node, 'apiVersion'), stringMember(node, 'kind')];
  const isList = kind === 'List' && apiVersion === 'v1';
  if (isList || (roleVersions.has(apiVersion) && roleKinds.has(kind.replace(/List$/, '')))) {
    if (isList || kind.endsWith('List')) readList(node, context);
    else readRole(node, { kind, apiVersion }, context);
    return;
  }
  const shown = `${JSON.stringify(kind)} of ${JSON.stringify(apiVersion)}`;
  context.report(node.span.start, `only roles and bindings of roles may stand here, not ${shown}`);
};

const stringMember = (node: MapData, name: string): string => {
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

const readRole = (
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
  else report(node.span.start, `${kind} ${JSON.stringify(name)} stands on line ${first} already`);
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

/** Nothing for null, and for what does not fit, which is told. */
const convert = (node: DataNode, shape: Shape, fieldContext: FieldContext): Json | undefined => {
  if (node.kind === 'null') return undefined;
  const rejectType = (expected: string): undefined => {
    fieldContext.report(node.span.start, `${fieldContext.path} must be ${expected}`);
  };
  switch (shape.kind) {
    case 'string':
    case 'bytes':
    case 'time':
      return node.kind === 'string' ? node.text : rejectType('a text');
    case 'bool':
      return node.kind === 'bool' ? node.value : rejectType('true or false');
    case 'int64':
      return node.kind === 'number' ? Number(node.text) : rejectType('a number');
    case 'raw':
      return jsonOf(node);
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
  }
};

const jsonOf = (node: DataNode): Json => {
  switch (node.kind) {
    case 'null':
      return null;
    case 'string':
      return node.text;
    case 'bool':
      return node.value;
    case 'number':
      return Number(node.text);
    case 'array':
      return node.items.map(jsonOf);
    case 'object':
      return new Map([...node.byKey].map(([key, { value }]) => [key, jsonOf(value)]));
  }
};

/** `rules[0].verbs` -> the node there, or the nearest around it. */
const nodeAt = (node: DataNode, field: string): DataNode => {
  let found = node;
  for (const [, name, position] of field.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const next: DataNode | undefined =
      found.kind === 'array'
        ? found.items[Number(position)]
        : found.kind === 'object'
          ? found.byKey.get(name ?? '')?.value
          : undefined;
    if (next === undefined) return found;
    found = next;
  }
  return found;
};
