/** Writes objects as JSON, as Go's encoder does: HTML-safe, compact or indented by two spaces. */
import { htmlEscapeJson } from '../../formats/go-json.ts';
import type { OutputMap, OutputValue } from '../../formats/output-value.ts';

/** Returns compact JSON with the line break that kube-apiserver's encoder appends. */
export const writeJson = (value: OutputValue): string => `${compactJson(value)}\n`;

/** Returns JSON that is indented by two spaces, without a line break at the end. */
export const writePrettyJson = (value: OutputValue): string => pretty(value, '');

/** Returns compact JSON. */
export const compactJson = (value: OutputValue): string => {
  if (typeof value !== 'object' || value === null) return scalar(value);
  return isList(value) ? compactList(value) : compactMap(value);
};

const compactList = (items: readonly OutputValue[]): string => {
  let text = '';
  for (const item of items) text += text === '' ? compactJson(item) : `,${compactJson(item)}`;
  return `[${text}]`;
};

const compactMap = (map: OutputMap): string => {
  const cached = cachedJson.get(map);
  if (cached !== undefined && cached !== '') return cached;
  let members = '';
  for (const [key, member] of map) {
    const written = `${quote(key)}:${compactJson(member)}`;
    members += members === '' ? written : `,${written}`;
  }
  const text = `{${members}}`;
  if (cached !== undefined) cachedJson.set(map, text);
  return text;
};

/** The compact JSON of maps that are written often; empty until they are written. */
const cachedJson = new WeakMap<OutputMap, string>();

/** Enables caching of the map's compact JSON. The map must not change afterwards. */
export const cacheCompactJson = (map: OutputMap): OutputMap => {
  cachedJson.set(map, '');
  return map;
};

const pretty = (value: OutputValue, indent: string): string => {
  if (typeof value !== 'object' || value === null) return scalar(value);
  const inner = `${indent}  `;
  const lines = isList(value)
    ? value.map((item) => `${inner}${pretty(item, inner)}`)
    : [...value].map(([key, member]) => `${inner}${quote(key)}: ${pretty(member, inner)}`);
  const [open, close] = isList(value) ? ['[', ']'] : ['{', '}'];
  return lines.length === 0
    ? `${open}${close}`
    : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
};

const isList = (value: OutputValue): value is readonly OutputValue[] => Array.isArray(value);

const scalar = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? quote(value) : String(value);

/**
 * Matches strings without escaped characters; for short strings this check is faster than escaping.
 */
const plain = /^[\w.:/@ -]*$/;
const shortLength = 48;

const quote = (text: string): string => {
  if (text.length <= shortLength && plain.test(text)) return `"${text}"`;
  return htmlEscapeJson(JSON.stringify(text.isWellFormed() ? text : text.toWellFormed()));
};
