/** Decodes a YAML body with the parser of configurations, which has the same limits here. */

import { parseDocument } from '../../documents/yaml/parse.ts';
import { type PlainReading, toPlainValue } from '../../documents/yaml/plain-value.ts';
import type { PlainValue } from '../../formats/json-with-positions.ts';
import { byCodePoint } from '../../formats/string-order.ts';
import { sourceFile } from '../../source/source-file.ts';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Decodes the body; `strict` reports repeated keys. An empty body is null, as in kube-apiserver.
 */
export const readYamlBody = (
  bytes: Uint8Array,
  { strict }: { readonly strict: boolean },
): PlainReading => {
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

/**
 * Sorts members by name: kube-apiserver converts YAML to JSON first, and the first type error is
 * the result.
 */
const sortMembers = (value: PlainValue): PlainValue => {
  if (value.kind === 'array') return { kind: 'array', items: value.items.map(sortMembers) };
  if (value.kind !== 'object') return value;
  const members = value.members.map((member) => ({ ...member, value: sortMembers(member.value) }));
  members.sort((left, right) => byCodePoint(left.name, right.name));
  return { kind: 'object', members };
};
