/**
 * Reads a settings file (`.authgraph.yaml`). Never throws: mistakes are diagnostics, and every
 * setting without a mistake is returned.
 */
import { renameFixes } from '../config/key-fixes.ts';
import { nearName } from '../config/near-name.ts';
import type { Diagnostic, Fix } from '../diagnostics/diagnostic.ts';
import { diagnosticOf, type Finding, type RuleDescription } from '../diagnostics/rule.ts';
import type { DataEntry, DataNode, MapData } from '../documents/yaml/data.ts';
import { documentSlices } from '../documents/yaml/document-slices.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { type ApiDomain, apiDomains } from '../model/api-domain.ts';
import { oldestRelease, parseRelease, type Release, releaseName } from '../model/release.ts';
import type { SourceFile } from '../source/source-file.ts';
import { type Span, span } from '../source/span.ts';
import { fixedSeverity, invalidSetting, unknownLint, unknownSetting } from './findings.ts';
import { globProblem } from './glob.ts';
import { maxSettingItems, type SettingRow, type SettingType, settingRows } from './setting-rows.ts';
import { type LintLevel, lintLevels, type Settings, type Suppression } from './settings.ts';

export interface SettingsReading {
  readonly source: SourceFile;
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
}

/** `rules` are all diagnostics: the settings refer to them by code or name. */
export const readSettings = (
  source: SourceFile,
  rules: readonly RuleDescription[],
): SettingsReading => new SettingsReader(source, rules).read();

/** A value without a mistake. */
type Value =
  | { readonly kind: 'string'; readonly text: string; readonly span: Span }
  | { readonly kind: 'levels'; readonly levels: ReadonlyMap<string, LintLevel> }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  | {
      readonly kind: 'map';
      readonly fields: ReadonlyMap<string, Value>;
      readonly path: string;
      readonly span: Span;
    };

/** Further mistakes are not reported. */
const maxDiagnostics = 100;

class SettingsReader {
  readonly #source: SourceFile;
  readonly #rules: readonly RuleDescription[];
  readonly #ruleByName: ReadonlyMap<string, RuleDescription>;
  readonly #diagnostics: Diagnostic[] = [];

  constructor(source: SourceFile, rules: readonly RuleDescription[]) {
    this.#source = source;
    this.#rules = rules;
    this.#ruleByName = new Map(
      rules.flatMap((rule) => [
        [rule.code, rule],
        [rule.name, rule],
      ]),
    );
  }

  read(): SettingsReading {
    const document = parseDocument(this.#source, { limits: 'refuse', as: 'yaml' });
    this.#diagnostics.push(...document.diagnostics);
    const { data } = document;
    const [, second] = documentSlices(this.#source.text);
    if (second !== undefined)
      this.#report(invalidSetting, span(second.start, second.start + 3), {
        path: '',
        problem: 'only the first YAML document of a settings file is read',
        help: 'Move the settings into the first document.',
      });
    const value =
      data === undefined || data.kind === 'null'
        ? undefined
        : this.#readValue(data, { kind: 'map', rows: settingRows }, '');
    const fields = value?.kind === 'map' ? value.fields : new Map<string, Value>();
    return {
      source: this.#source,
      settings: {
        targetRelease: releaseOf(fields),
        apiDomain: domainOf(fields),
        lintLevels: levelsOf(fields),
        suppressions: itemsOf(fields, 'suppressions').flatMap(suppressionOf),
        sampleFolders: itemsOf(fields, 'sampleFolders').flatMap((item) =>
          item.kind === 'string' ? [item.text] : [],
        ),
      },
      diagnostics: this.#diagnostics
        .slice(0, maxDiagnostics)
        .toSorted((a, b) => a.span.start - b.span.start),
    };
  }

  /** Returns the value, or `undefined` after a mistake has been reported. */
  #readValue(data: DataNode, type: SettingType, path: string): Value | undefined {
    switch (type.kind) {
      case 'map':
        if (data.kind === 'object') return this.#readMap(data, type.rows, path);
        return this.#reportType(data, path, path === '' ? 'a map of settings' : 'a map');
      case 'list':
        if (data.kind === 'array') return this.#readList(data.items, data.span, type.item, path);
        return this.#reportType(data, path, 'a list');
      case 'levels':
        if (data.kind === 'object') return this.#readLevels(data, path);
        return this.#reportType(data, path, 'a map from lints to levels');
      case 'choice':
        return this.#readChoice(data, type.values, path);
      case 'lint': {
        if (data.kind !== 'string')
          return this.#reportType(data, path, 'the code or name of a lint');
        const rule = this.#lintOf(data.text, data.span, {
          path,
          fixes: respell(data, this.#source),
        });
        return rule && { kind: 'string', text: rule.code, span: data.span };
      }
      case 'string':
        return this.#readString(data, type.pattern, path);
    }
  }

  #readMap(data: MapData, rows: readonly SettingRow[], path: string): Value | undefined {
    const names = rows.map(({ name }) => name);
    const fields = new Map<string, Value>();
    let isComplete = true;
    for (const entry of data.byKey.values()) {
      const row = rows.find(({ name }) => name === entry.key);
      if (row === undefined) {
        this.#reportUnknown(entry, { data, names, path });
        continue;
      }
      const value = this.#readValue(entry.value, row.type, childPath(path, row.name));
      if (value !== undefined) fields.set(row.name, value);
      else isComplete = false;
    }
    for (const { name, required } of rows) {
      if (required !== true || data.byKey.has(name)) continue;
      isComplete = false;
      this.#report(invalidSetting, firstKey(data), {
        path,
        problem: `${name} is required`,
      });
    }
    // An entry with a mistake has no effect; the settings of the file are independent.
    return isComplete || path === ''
      ? { kind: 'map', fields, path, span: firstLine(data.span, this.#source) }
      : undefined;
  }

  #readList(
    items: readonly DataNode[],
    at: Span,
    type: SettingType,
    path: string,
  ): Value | undefined {
    if (items.length > maxSettingItems) {
      const problem = `must have at most ${maxSettingItems} items`;
      this.#report(invalidSetting, span(at.start, at.start + 1), { path, problem });
      return undefined;
    }
    const read = items.flatMap((item, index) => {
      const value = this.#readValue(item, type, `${path}[${index}]`);
      return value === undefined ? [] : [value];
    });
    return { kind: 'list', items: read };
  }

  #readLevels(data: MapData, path: string): Value {
    const levels = new Map<string, LintLevel>();
    for (const entry of data.byKey.values()) {
      const at = childPath(path, entry.key);
      const level = this.#readChoice(entry.value, lintLevels, at);
      const code = entry.key === '*' ? '*' : this.#lintNamedBy(entry, at)?.code;
      if (code === undefined || level?.kind !== 'string') continue;
      levels.set(code, level.text as LintLevel);
    }
    return { kind: 'levels', levels };
  }

  #lintNamedBy(entry: DataEntry, path: string): RuleDescription | undefined {
    const fixes = (name: string): readonly Fix[] => renameFixes(entry, name, this.#source.text);
    return this.#lintOf(entry.key, entry.keySpan, { path, fixes });
  }

  #lintOf(
    written: string,
    at: Span,
    { path, fixes }: { readonly path: string; readonly fixes: (name: string) => readonly Fix[] },
  ): RuleDescription | undefined {
    const rule = this.#ruleByName.get(written);
    if (rule?.source === 'lint') return rule;
    if (this.#isFull()) return undefined;
    if (rule === undefined) {
      const lints = this.#rules.filter(({ source }) => source === 'lint');
      const near = nearName(
        written,
        lints.flatMap(({ code, name }) => (/^ag/i.test(written) ? code : name)),
      );
      const args = { path, written: shortened(written), near };
      this.#report(unknownLint, at, args, near === undefined ? [] : fixes(near));
      return undefined;
    }
    const { code, name } = rule;
    this.#report(fixedSeverity, at, { path, code, name, isServerError: rule.source === 'server' });
    return undefined;
  }

  #readChoice(data: DataNode, values: readonly string[], path: string): Value | undefined {
    const written = this.#source.text.slice(data.span.start, data.span.end);
    // YAML 1.1 reads `off` as false.
    const text =
      data.kind === 'bool' && /^off$/i.test(written)
        ? 'off'
        : data.kind === 'string'
          ? data.text
          : undefined;
    if (text !== undefined && values.includes(text))
      return { kind: 'string', text, span: data.span };
    if (this.#isFull()) return undefined;
    const help = `Write ${values
      .map((value) => (isNumeric(value) ? `"${value}"` : value))
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1')}.`;
    if (data.kind === 'number' && values.some(isNumeric)) {
      const fixes = values.includes(written)
        ? [{ title: `Write "${written}"`, edits: [{ span: data.span, newText: `"${written}"` }] }]
        : [];
      const problem = `must be a string; without quotes, YAML parses ${releaseName(oldestRelease)} as a number`;
      this.#report(invalidSetting, data.span, { path, problem, help }, fixes);
      return undefined;
    }
    const near = text === undefined ? undefined : nearName(text, values);
    const problem = `${text === undefined ? 'this value' : JSON.stringify(shortened(text))} is not supported`;
    const fixes =
      near === undefined || data.kind !== 'string' ? [] : respell(data, this.#source)(near);
    this.#report(
      invalidSetting,
      firstLine(data.span, this.#source),
      { path, problem, help: near === undefined ? help : `Did you mean \`${near}\`?` },
      fixes,
    );
    return undefined;
  }

  #readString(data: DataNode, pattern: RegExp | undefined, path: string): Value | undefined {
    if (data.kind !== 'string') return this.#reportType(data, path, 'a string');
    const { text } = data;
    const problem = stringProblem(text, { pattern, path });
    if (problem === undefined) return { kind: 'string', text, span: data.span };
    this.#report(invalidSetting, firstLine(data.span, this.#source), { path, problem });
    return undefined;
  }

  #reportType(data: DataNode, path: string, wanted: string): undefined {
    const problem = `must be ${wanted}`;
    this.#report(invalidSetting, firstLine(data.span, this.#source), { path, problem });
    return undefined;
  }

  #reportUnknown(
    entry: DataEntry,
    place: { readonly data: MapData; readonly names: readonly string[]; readonly path: string },
  ): void {
    if (this.#isFull()) return;
    const { data, names, path } = place;
    const near = nearName(entry.key, names);
    const fixes =
      near === undefined || data.byKey.has(near) ? [] : renameFixes(entry, near, this.#source.text);
    const args = { path: childPath(path, shortened(entry.key)), near, known: names };
    this.#report(unknownSetting, entry.keySpan, args, fixes);
  }

  /** Returns whether further mistakes are not reported, so that no suggestion is searched. */
  #isFull(): boolean {
    return this.#diagnostics.length >= maxDiagnostics;
  }

  #report<Args>(finding: Finding<Args>, at: Span, args: Args, fixes: readonly Fix[] = []): void {
    if (!this.#isFull()) this.#diagnostics.push(diagnosticOf(finding, at, args, { fixes }));
  }
}

const stringProblem = (
  text: string,
  { pattern, path }: { readonly pattern: RegExp | undefined; readonly path: string },
): string | undefined => {
  if (text.trim() === '') return 'must not be empty';
  if (pattern !== undefined && (!pattern.test(text) || dayAfter(text) === undefined))
    return 'must be a date such as 2027-01-31';
  if (path.endsWith('.files')) return globProblem(text);
  if (path.startsWith('sampleFolders') && isAbsolute(text))
    return 'must be relative to the folder of the settings file';
  return undefined;
};

/** Returns true for an absolute path of any system, and for a URL. */
const isAbsolute = (path: string): boolean => /^(?:[\\/]|[A-Za-z][A-Za-z\d+.-]*:)/.test(path);

const releaseOf = (fields: ReadonlyMap<string, Value>): Release | undefined => {
  const value = fields.get('targetVersion');
  return value?.kind === 'string' ? parseRelease(value.text) : undefined;
};

const domainOf = (fields: ReadonlyMap<string, Value>): ApiDomain | undefined => {
  const value = fields.get('apiDomain');
  return value?.kind === 'string' ? apiDomains.find((domain) => domain === value.text) : undefined;
};

const levelsOf = (fields: ReadonlyMap<string, Value>): ReadonlyMap<string, LintLevel> => {
  const value = fields.get('lints');
  return value?.kind === 'levels' ? value.levels : new Map();
};

const itemsOf = (fields: ReadonlyMap<string, Value>, name: string): readonly Value[] => {
  const value = fields.get(name);
  return value?.kind === 'list' ? value.items : [];
};

const suppressionOf = (value: Value): readonly Suppression[] => {
  if (value.kind !== 'map') return [];
  const textOf = (name: string): string | undefined => {
    const field = value.fields.get(name);
    return field?.kind === 'string' ? field.text : undefined;
  };
  const expires = textOf('expires');
  return [
    {
      code: textOf('code') ?? '',
      files: textOf('files'),
      path: textOf('path'),
      reason: textOf('reason') ?? '',
      expiresAt: expires === undefined ? undefined : dayAfter(expires),
      entry: { path: value.path, span: value.span },
    },
  ];
};

/** Returns the start of the next day (UTC); `undefined` for a date that does not exist. */
const dayAfter = (date: string): number | undefined => {
  const start = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(start) || !new Date(start).toISOString().startsWith(date)
    ? undefined
    : start + 24 * 60 * 60 * 1000;
};

/** Returns fixes that replace a plain or quoted string. */
const respell =
  (data: { readonly text: string; readonly span: Span }, source: SourceFile) =>
  (name: string): readonly Fix[] => {
    const start = source.text.indexOf(data.text, data.span.start);
    if (start === -1 || start + data.text.length > data.span.end) return [];
    const edits = [{ span: span(start, start + data.text.length), newText: name }];
    return [{ title: `Write ${name}`, edits }];
  };

const isNumeric = (text: string): boolean => /^\d/.test(text);

const firstKey = (data: MapData): Span => data.entries[0]?.keySpan ?? data.span;

const firstLine = ({ start, end }: Span, { text }: SourceFile): Span => {
  const lineEnd = text.indexOf('\n', start);
  return span(start, lineEnd === -1 ? end : Math.min(end, lineEnd));
};

const childPath = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** Names in messages have a bounded length. */
const shortened = (text: string): string => (text.length <= 64 ? text : `${text.slice(0, 63)}…`);
