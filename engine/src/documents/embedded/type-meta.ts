/** What an object says that it is, without reading the rest: good for text that is being typed. */
import { sourceFile } from '../../source/source-file.ts';
import { parseDocument } from '../yaml/parse.ts';

export interface TypeMeta {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
}

/** Of the outermost map. A name with nothing behind it is empty, one that is not there `undefined`. */
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
  const found = new Map<string, string>();
  for (const [, , name = '', rest = ''] of text.matchAll(lines)) {
    found.set(name, plainValue(rest));
    if (found.size === 2) break;
  }
  return { apiVersion: found.get('apiVersion'), kind: found.get('kind') };
};

const unknown: TypeMeta = { apiVersion: undefined, kind: undefined };

/** Quotes and comments away. */
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
