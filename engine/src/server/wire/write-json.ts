/** Objects to JSON text as Go's encoder writes it: HTML-safe, compact or indented by two spaces. */
import type { Output } from './output.ts';

/** Compact, with the line break that the real server's encoder leaves at the end. */
export const writeJson = (value: Output): string => `${compact(value)}\n`;

/** Two-space indentation, no line break at the end. */
export const writePrettyJson = (value: Output): string => pretty(value, '');

const compact = (value: Output): string => {
  if (typeof value !== 'object' || value === null) return scalar(value);
  if (isList(value)) return `[${value.map(compact).join(',')}]`;
  return `{${[...value].map(([key, member]) => `${quote(key)}:${compact(member)}`).join(',')}}`;
};

const pretty = (value: Output, indent: string): string => {
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

const isList = (value: Output): value is readonly Output[] => Array.isArray(value);

const scalar = (value: string | number | boolean | null): string =>
  typeof value === 'string' ? quote(value) : String(value);

const unsafe = /[<>&\u2028\u2029]/g;

const quote = (text: string): string =>
  JSON.stringify(text.toWellFormed()).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
