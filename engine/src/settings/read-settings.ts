/**
 * Reads a settings file (`.authgraph.yaml`). Never throws: mistakes are diagnostics, and every
 * setting without a mistake is returned.
 */
import { renameFixes } from '../config/key-fixes.ts';
import { nearName } from '../config/near-name.ts';
import {
  childPath,
  type RowMap,
  RowReader,
  type RowReaderOptions,
  type RowValue,
  respell,
  shortened,
} from '../config/rows/read-rows.ts';
import type { Diagnostic, Fix } from '../diagnostics/diagnostic.ts';
import type { RuleDescription } from '../diagnostics/rule.ts';
import type { DataNode, MapData } from '../documents/yaml/data.ts';
import { type ApiDomain, apiDomains } from '../model/api-domain.ts';
import { parseRelease, type Release } from '../model/release.ts';
import type { SourceFile } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import { dayAfter } from './day-after.ts';
import { fixedSeverity, invalidSetting, unknownLint, unknownSetting } from './findings.ts';
import { settingRows } from './setting-rows.ts';
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
): SettingsReading => {
  const reader = new RowReader(source, readerOptions(rules));
  const fields = reader.read(settingRows);
  return {
    source,
    settings: {
      targetRelease: releaseOf(fields),
      apiDomain: domainOf(fields),
      lintLevels: levelsOf(fields),
      suppressions: itemsOf(fields, 'suppressions').flatMap(suppressionOf),
      sampleFolders: itemsOf(fields, 'sampleFolders').flatMap((item) =>
        item.kind === 'string' ? [item.text] : [],
      ),
    },
    diagnostics: reader.diagnostics(),
  };
};

/** The value of a type that only settings have. */
type LintValue =
  | { readonly kind: 'lint'; readonly code: string }
  | { readonly kind: 'levels'; readonly levels: ReadonlyMap<string, LintLevel> };

type Reader = RowReader<LintValue>;
type Value = RowValue<LintValue>;
type Fields = RowMap<LintValue>;

const readerOptions = (rules: readonly RuleDescription[]): RowReaderOptions<LintValue> => {
  const lints = createLintNames(rules);
  return {
    what: 'a settings file',
    content: 'settings',
    unknown: unknownSetting,
    invalid: invalidSetting,
    readCustom: (data, { id, path }, reader) =>
      id === 'levels'
        ? readLevels(data, path, { reader, lints })
        : readLint(data, path, { reader, lints }),
  };
};

interface LintContext {
  readonly reader: Reader;
  readonly lints: LintNames;
}

const readLint = (
  data: DataNode,
  path: string,
  { reader, lints }: LintContext,
): LintValue | undefined => {
  if (data.kind !== 'string') return reader.reportType(data, path, 'the code or name of a lint');
  const place = { path, span: data.span, fixes: respell(data, reader.source) };
  const rule = lints.find(data.text, place, reader);
  return rule && { kind: 'lint', code: rule.code };
};

const readLevels = (data: DataNode, path: string, context: LintContext): LintValue | undefined =>
  data.kind === 'object'
    ? { kind: 'levels', levels: levelsIn(data, path, context) }
    : context.reader.reportType(data, path, 'a map from lints to levels');

const levelsIn = (
  data: MapData,
  path: string,
  { reader, lints }: LintContext,
): ReadonlyMap<string, LintLevel> => {
  const levels = new Map<string, LintLevel>();
  for (const entry of data.byKey.values()) {
    const at = childPath(path, entry.key);
    const level = reader.choice(entry.value, lintLevels, at);
    const place = {
      path: at,
      span: entry.keySpan,
      fixes: (name: string) => renameFixes(entry, name, reader.source.text),
    };
    const code = entry.key === '*' ? '*' : lints.find(entry.key, place, reader)?.code;
    const found = lintLevels.find((one) => one === level?.text);
    if (code !== undefined && found !== undefined) levels.set(code, found);
  }
  return levels;
};

type LintNames = ReturnType<typeof createLintNames>;

/** Finds lints by code or name, and reports names of anything else. */
const createLintNames = (rules: readonly RuleDescription[]) => {
  const ruleByName = new Map(
    rules.flatMap((rule) => [
      [rule.code, rule],
      [rule.name, rule],
    ]),
  );
  return {
    find(
      written: string,
      {
        path,
        span: at,
        fixes,
      }: {
        readonly path: string;
        readonly span: Span;
        readonly fixes: (name: string) => readonly Fix[];
      },
      reader: Reader,
    ): RuleDescription | undefined {
      const rule = ruleByName.get(written);
      if (rule?.source === 'lint') return rule;
      if (reader.isFull()) return undefined;
      if (rule === undefined) {
        const names = rules.filter(({ source }) => source === 'lint');
        const near = nearName(
          written,
          names.flatMap(({ code, name }) => (/^ag/i.test(written) ? code : name)),
        );
        const args = { path, written: shortened(written), near };
        reader.report(unknownLint, at, args, near === undefined ? [] : fixes(near));
        return undefined;
      }
      const { code, name } = rule;
      const args = { path, code, name, isServerError: rule.source === 'server' };
      reader.report(fixedSeverity, at, args);
      return undefined;
    },
  };
};

const releaseOf = ({ fields }: Fields): Release | undefined => {
  const value = fields.get('targetVersion');
  return value?.kind === 'string' ? parseRelease(value.text) : undefined;
};

const domainOf = ({ fields }: Fields): ApiDomain | undefined => {
  const value = fields.get('apiDomain');
  return value?.kind === 'string' ? apiDomains.find((domain) => domain === value.text) : undefined;
};

const levelsOf = ({ fields }: Fields): ReadonlyMap<string, LintLevel> => {
  const value = fields.get('lints');
  return value?.kind === 'custom' && value.value.kind === 'levels' ? value.value.levels : new Map();
};

const itemsOf = ({ fields }: Fields, name: string): readonly Value[] => {
  const value = fields.get(name);
  return value?.kind === 'list' ? value.items : [];
};

const suppressionOf = (value: Value): readonly Suppression[] => {
  if (value.kind !== 'map') return [];
  const textOf = (name: string): string | undefined => {
    const field = value.fields.get(name);
    return field?.kind === 'string' ? field.text : undefined;
  };
  const code = value.fields.get('code');
  const expires = textOf('expires');
  return [
    {
      code: code?.kind === 'custom' && code.value.kind === 'lint' ? code.value.code : '',
      files: textOf('files'),
      path: textOf('path'),
      reason: textOf('reason') ?? '',
      expiresAt: expires === undefined ? undefined : dayAfter(expires),
      entry: { path: value.path, span: value.span },
    },
  ];
};
