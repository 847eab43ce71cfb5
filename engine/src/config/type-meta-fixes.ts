/** Fixes of a missing or misspelled apiVersion or kind. */
import type { Fix } from '../diagnostics/diagnostic.ts';
import { editDistance } from '../formats/edit-distance.ts';
import { configGroup, kubernetesDomain } from '../model/api-domain.ts';
import { type Located, span } from '../source/span.ts';
import type { ConfigVersion } from './configuration.ts';

export const configKind = 'AuthenticationConfiguration';

export interface TypeMeta {
  readonly kind: 'meta';
  readonly apiVersion: Located<string>;
  readonly kindName: Located<string>;
}

/** The file in which apiVersion and kind are fixed, and what the fixes write. */
interface FixContext {
  readonly text: string;
  /** API domains that the file may use. */
  readonly domains: readonly string[];
  /** The version that fixes write. */
  readonly newest: ConfigVersion;
}

/** Adds `kind`: in place of an empty one, after the apiVersion, or together with it. */
export const addKindFixes = (meta: TypeMeta, file: FixContext): readonly Fix[] => {
  const { text } = file;
  const line = `kind: ${configKind}`;
  const [empty, ...others] = text.matchAll(kindLine);
  if (empty !== undefined) {
    const [, beforeValue = '', value] = empty;
    if (value === undefined || others.length > 0) return [];
    const start = empty.index + beforeValue.length;
    const end = start + value.length;
    const newText = ` ${configKind}${text[end] === '#' ? ' ' : ''}`;
    const edit = { span: span(start, end), newText };
    return [{ title: `Write ${line}`, edits: [edit] }];
  }
  const { value, span: version } = meta.apiVersion;
  if (value === '') return addBothFixes(file);
  const lineStart = text.lastIndexOf('\n', version.start - 1) + 1;
  if (/^["']?apiVersion["']?:[ \t]*["']?$/.test(text.slice(lineStart, version.start))) {
    const rest = /[\r\n]|$/.exec(text.slice(version.end));
    const at = version.end + (rest?.index ?? 0);
    const edit = { span: span(at, at), newText: `${lineEndOf(text)}${line}` };
    return [{ title: `Add ${line}`, edits: [edit] }];
  }
  // A map in braces, such as JSON.
  const member = /["']apiVersion["'][ \t]*:[ \t]*("?)$/.exec(text.slice(lineStart, version.start));
  if (member === null) return [];
  const end = version.end + (text[version.end] === '"' && member[1] === '"' ? 1 : 0);
  const edit = { span: span(end, end), newText: `, "kind": "${configKind}"` };
  return [{ title: `Add ${line}`, edits: [edit] }];
};

/** A key `kind` at the start of a line; the second group is present if its value is empty. */
const kindLine = /^(["']?kind["']?[ \t]*:)(?:([ \t]*(?:""|''|~|null)?[ \t]*)(?=\r?$|#)|)/gm;

/** Adds both before the first line of a map that is clearly such a configuration. */
const addBothFixes = ({ text, domains, newest }: FixContext): readonly Fix[] => {
  const first = /^(?:jwt|anonymous)[ \t]*:/m.exec(text);
  if (first === null || /^["']?apiVersion["']?[ \t]*:/m.test(text)) return [];
  const version = `apiVersion: ${configGroup(domainToWrite(domains))}/${newest}`;
  const lineEnd = lineEndOf(text);
  const newText = `${version}${lineEnd}kind: ${configKind}${lineEnd}`;
  const edits = [{ span: span(first.index, first.index), newText }];
  return [{ title: `Add ${version} and kind: ${configKind}`, edits }];
};

const lineEndOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

/** Adds `apiVersion` before a kind that is on a line of its own. */
export const addVersionFixes = (meta: TypeMeta, file: FixContext): readonly Fix[] => {
  const { text } = file;
  const { value, span: kind } = meta.kindName;
  const lineStart = text.lastIndexOf('\n', kind.start - 1) + 1;
  if (value !== configKind || /^["']?apiVersion["']?[ \t]*:/m.test(text)) return [];
  if (!/^kind:[ \t]*["']?$/.test(text.slice(lineStart, kind.start))) return [];
  const group = configGroup(domainToWrite(file.domains));
  const version = `apiVersion: ${group}/${file.newest}`;
  const newText = `${version}${lineEndOf(text)}`;
  return [{ title: `Add ${version}`, edits: [{ span: span(lineStart, lineStart), newText }] }];
};

/** Replaces the apiVersion: only one group has this kind. */
export const respellVersionFixes = (meta: TypeMeta, file: FixContext): readonly Fix[] => {
  const { value } = meta.apiVersion;
  if (meta.kindName.value !== configKind) return [];
  const domain = file.domains.find((known) => value.includes(known)) ?? domainToWrite(file.domains);
  const version = /(?:^|\/)(v1(?:alpha1|beta1)?)$/.exec(value)?.[1] ?? file.newest;
  return respellFixes(meta.apiVersion, `${configGroup(domain)}/${version}`, file.text);
};

/** Replaces a kind that is misspelled or has wrong letter case. */
export const respellKindFixes = (meta: TypeMeta, text: string): readonly Fix[] =>
  meta.kindName.value.length > 2 * configKind.length ||
  editDistance(meta.kindName.value.toLowerCase(), configKind.toLowerCase()) > 2
    ? []
    : respellFixes(meta.kindName, configKind, text);

/** Returns the domain that fixes write: that of Kubernetes unless the file must use another. */
export const domainToWrite = (domains: readonly string[]): string =>
  domains.includes(kubernetesDomain) ? kubernetesDomain : (domains[0] ?? kubernetesDomain);

/** Replaces a text in its place. */
export const respellFixes = (
  { value, span: where }: Located<string>,
  newText: string,
  text: string,
): readonly Fix[] => {
  const start = text.indexOf(value, where.start);
  if (start === -1 || start + value.length > where.end) return [];
  const edits = [{ span: span(start, start + value.length), newText }];
  return [{ title: `Write ${newText}`, edits }];
};
