/**
 * Reads apiVersion and kind of an object without parsing the rest, so that it works while the text
 * is being typed.
 */
import { sourceFile } from '../../source/source-file.ts';
import { parseDocument } from '../yaml/parse.ts';

export interface TypeMeta {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
}

/**
 * Reads the fields of the outermost map. A field without a value is empty, an absent one
 * `undefined`.
 */
export const peekTypeMeta = (text: string): TypeMeta => {
  const first = /^(?![ \t]*(?:#|\r?$)|%|---[ \t]*(?:#.*)?\r?$)(?:---[ \t]+)?( *)([^\r\n]?)/m.exec(
    text,
  );
  if (first === null) return unknown;
  const [, indent = '', start = ''] = first;
  if (start === '{') return peekFlow(text);
  const lines = new RegExp(
    `^${indent}(["']?)(apiVersion|kind)\\1[ \\t]*:(?:[ \\t]+([^\\r\\n]*))?\\r?$`,
    'gm',
  );
  const valueByName = new Map<string, string>();
  for (const [, , name = '', rest = ''] of text.matchAll(lines)) {
    valueByName.set(name, plainValue(rest));
    if (valueByName.size === 2) break;
  }
  return { apiVersion: valueByName.get('apiVersion'), kind: valueByName.get('kind') };
};

const unknown: TypeMeta = { apiVersion: undefined, kind: undefined };

/** Removes quotes and comments. */
const plainValue = (rest: string): string => {
  const [, , quoted] = /^(["'])(.*?)\1/.exec(rest) ?? [];
  return quoted ?? rest.replace(/(?:^|[ \t])#[\s\S]*$/, '').trim();
};

const peekFlow = (text: string): TypeMeta => {
  const { data } = parseDocument(sourceFile('', text), { limits: 'refuse' });
  if (data?.kind !== 'object') return unknown;
  const textOf = (name: string): string | undefined => {
    const value = data.byKey.get(name)?.value;
    return value?.kind === 'string' ? value.text : undefined;
  };
  return { apiVersion: textOf('apiVersion'), kind: textOf('kind') };
};
