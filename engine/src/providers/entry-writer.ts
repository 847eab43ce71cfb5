/** Writes the values of settings into the YAML of an entry, quoted, and marks those to edit. */
import { writeString } from '../formats/write-yaml.ts';
import { changeMark } from './change-mark.ts';
import { itemsOf, type ProviderSetting, type SettingValues } from './settings.ts';

/** What a provider uses to write its entry. */
export interface EntryWriter {
  readonly value: SettingValues;
  /** Returns the value as the rest of a line: a scalar, and a mark if it must be edited. */
  readonly scalar: (key: string) => string;
  /** Returns a text with values of these settings as the rest of a line. */
  readonly text: (text: string, ...keys: readonly string[]) => string;
  /** Returns the lines of a list. */
  readonly items: (key: string, indent: string) => string;
  /** Returns the mark of a line with values of these settings; empty if all of them are set. */
  readonly mark: (...keys: readonly string[]) => string;
}

/** Returns the writer; the settings in `set` are not marked. */
export const entryWriter = (
  settings: readonly ProviderSetting[],
  value: SettingValues,
  set: ReadonlyMap<string, string>,
): EntryWriter => {
  const mark = (...keys: readonly string[]): string => {
    const marked = settings.filter(
      ({ key, isCommon = false }) => keys.includes(key) && !isCommon && !set.has(key),
    );
    return marked.length === 0 ? '' : ` ${changeMark} ${marked.map(markOf).join('; ')}`;
  };
  const text = (content: string, ...keys: readonly string[]): string =>
    `${quoted(content)}${mark(...keys)}`;
  return {
    value,
    scalar: (key) => text(value(key), key),
    text,
    items: (key, indent) =>
      itemsOf(value(key))
        .map((item) => `${indent}- ${text(item, key)}\n`)
        .join(''),
    mark,
  };
};

/** Quotes a string if necessary; one with single quotes, such as an expression, in double quotes. */
const quoted = (content: string): string => {
  const written = writeString(content);
  return written.startsWith("'") && content.includes("'") && !/["\\]/.test(content)
    ? `"${content}"`
    : written;
};

/** Returns what the comment says about a setting. */
export const markOf = ({ key, doc }: ProviderSetting): string => `${key}, ${doc}`;

/** Returns a CEL string literal. */
export const celString = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
