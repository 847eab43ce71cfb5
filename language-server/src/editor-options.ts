/** The settings in the section `authgraph`, parsed leniently from whatever a client sends. */
import { newestRelease, parseRelease, type Release } from '@authgraph/engine';
import { memberOf } from './member-of.ts';

export type LintLevel = 'off' | 'hint' | 'information' | 'warning';

export interface EditorOptions {
  readonly targetRelease: Release;
  /** Milliseconds since 1970 at which previews are evaluated; `undefined` for the current time. */
  readonly fixedClock: number | undefined;
  readonly inlayHints: { readonly enabled: boolean; readonly maxLength: number };
  readonly codeLenses: boolean;
  /** Maps the code or the name of a lint to its level; `*` is the default for all others. */
  readonly lintLevels: ReadonlyMap<string, LintLevel>;
  /** Globs of sample files. */
  readonly sampleFiles: readonly string[];
  /** Globs of manifests with RBAC roles. */
  readonly roleFiles: readonly string[];
  /** Globs of files that are treated as configurations even without the `kind` line. */
  readonly configurationFiles: readonly string[];
  /** False if another extension provides the outline and folding of YAML files. */
  readonly outline: boolean;
  /** Whether formatting a document formats its expressions. */
  readonly formatting: boolean;
  /** How long, in milliseconds, the analysis of a long file may take. */
  readonly analysisTimeoutMs: number;
}

export const defaultOptions: EditorOptions = {
  targetRelease: newestRelease,
  fixedClock: undefined,
  inlayHints: { enabled: true, maxLength: 40 },
  codeLenses: true,
  lintLevels: new Map(),
  sampleFiles: ['**/*.claims.{json,yaml,yml}'],
  roleFiles: ['**/*{role,rbac}*.{yaml,yml}'],
  configurationFiles: [],
  outline: true,
  formatting: false,
  analysisTimeoutMs: 5000,
};

/** Bounds of the setting `analysisTimeout`, in milliseconds. */
const minAnalysisTimeoutMs = 100;
const maxAnalysisTimeoutMs = 60_000;

/** Returns the options; missing and invalid settings take their defaults. */
export const readOptions = (settings: unknown): EditorOptions => {
  const clock = settingAt(settings, 'clock');
  const fixed = typeof clock === 'string' && clock !== 'now' ? Date.parse(clock) : Number.NaN;
  const target = settingAt(settings, 'targetVersion');
  const release = typeof target === 'string' ? parseRelease(target) : undefined;
  const maxLength = settingAt(settings, 'inlayHints', 'maxLength');
  const levels = settingAt(settings, 'lint', 'level');
  const timeout = settingAt(settings, 'analysisTimeout');
  return {
    targetRelease: release ?? defaultOptions.targetRelease,
    fixedClock: Number.isNaN(fixed) ? undefined : fixed,
    inlayHints: {
      enabled: booleanOr(settingAt(settings, 'inlayHints', 'enabled'), true),
      maxLength:
        typeof maxLength === 'number' && maxLength >= 8
          ? Math.trunc(maxLength)
          : defaultOptions.inlayHints.maxLength,
    },
    codeLenses: booleanOr(settingAt(settings, 'codeLens', 'enabled'), true),
    lintLevels: new Map(
      isRecord(levels)
        ? Object.entries(levels).flatMap(([name, level]) =>
            isLevel(level) ? [[name, level] as const] : [],
          )
        : [],
    ),
    sampleFiles: stringList(settingAt(settings, 'samples', 'files')) ?? defaultOptions.sampleFiles,
    roleFiles: stringList(settingAt(settings, 'roles', 'files')) ?? defaultOptions.roleFiles,
    configurationFiles:
      stringList(settingAt(settings, 'files')) ?? defaultOptions.configurationFiles,
    outline: settingAt(settings, 'outline') !== 'off',
    formatting: booleanOr(settingAt(settings, 'format', 'enabled'), false),
    analysisTimeoutMs:
      typeof timeout === 'number' && !Number.isNaN(timeout)
        ? Math.min(Math.max(timeout, minAnalysisTimeoutMs), maxAnalysisTimeoutMs)
        : defaultOptions.analysisTimeoutMs,
  };
};

/** Returns the level that the settings give a lint, or `undefined` for the lint's own level. */
export const levelOf = (
  { lintLevels }: Pick<EditorOptions, 'lintLevels'>,
  { code, name }: { readonly code: string; readonly name: string },
): LintLevel | undefined => lintLevels.get(code) ?? lintLevels.get(name) ?? lintLevels.get('*');

const settingAt = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce(memberOf, value);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const booleanOr = (value: unknown, fallback: boolean): boolean =>
  typeof value === 'boolean' ? value : fallback;

const stringList = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;

const isLevel = (value: unknown): value is LintLevel =>
  value === 'off' || value === 'hint' || value === 'information' || value === 'warning';
