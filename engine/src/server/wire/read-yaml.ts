/** A YAML body as data: read by the one reader of YAML, which is as strict and as limited here. */
import { parseDocument } from '../../documents/yaml/parse.ts';
import { toPlainValue } from '../../documents/yaml/plain-value.ts';
import { byCodePoint } from '../../formats/string-order.ts';
import { sourceFile } from '../../source/source-file.ts';
import type { BodyReading, JsonValue } from './json-value.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** `strict`: say which keys are set twice. An empty body is null, as in the real server. */
export const readYamlBody = (
  bytes: Uint8Array,
  { strict }: { readonly strict: boolean },
): BodyReading => {
  const source = sourceFile('request-body', utf8.decode(bytes));
  const document = parseDocument(source, { limits: 'refuse', as: 'yaml' });
  if (document.failure !== undefined) return { kind: 'error', message: document.failure };
  const limit = document.data === undefined ? document.diagnostics[0] : undefined;
  if (limit !== undefined) return { kind: 'error', message: limit.message };
  return {
    kind: 'value',
    value: sortMembers(toPlainValue(document.data)),
    strictErrors: strict ? document.strictErrors : [],
  };
};

/** YAML becomes JSON before it is an object, with its members by name: the first misfit is told. */
const sortMembers = (value: JsonValue): JsonValue => {
  if (value.kind === 'array') return { kind: 'array', items: value.items.map(sortMembers) };
  if (value.kind !== 'object') return value;
  const members = value.members.map((member) => ({ ...member, value: sortMembers(member.value) }));
  members.sort((left, right) => byCodePoint(left.name, right.name));
  return { kind: 'object', members };
};
