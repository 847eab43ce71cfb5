/** The settings in the section `authgraph`, parsed leniently from whatever a client sends. */
import {
  type LintLevel,
  lintLevels,
  newestRelease,
  noSettings,
  parseRelease,
  type Release,
  type Settings,
} from '@authgraph/engine/language';
import { memberOf } from './member-of.ts';

export interface EditorOptions {
  /** Settings that a settings file can set, too. */
  readonly settings: Settings;
  /** Milliseconds since 1970 at which previews are evaluated; `undefined` for the current time. */
  readonly fixedClock: number | undefined;
  readonly inlayHints: {
    readonly enabled: boolean;
    readonly maxLength: number;
    /** Which rules have a hint: those that fail, or all. */
    readonly rules: 'failed' | 'all';
  };
  readonly codeLenses: boolean;
  /** Globs of sample files. */
  readonly sampleFiles: readonly string[];
  /** Globs of manifests with RBAC roles. */
  readonly roleFiles: readonly string[];
  /** Whether mappings of groups that no binding names are reported. */
  readonly roleHints: boolean;
  /** Globs of files that are treated as configurations even without the `kind` line. */
  readonly configurationFiles: readonly string[];
  /** False if another extension provides the outline and folding of YAML files. */
  readonly outline: boolean;
  /** Whether formatting a document formats its expressions. */
  readonly formatting: boolean;
  /** How long, in milliseconds, the analysis of a long file may take. */
  readonly analysisTimeoutMs: number;
  /** Whether configurations that are not open have diagnostics. */
  readonly diagnosticsScope: 'openFiles' | 'workspace';
}

export const defaultOptions: EditorOptions = {
  settings: noSettings,
  fixedClock: undefined,
  inlayHints: { enabled: true, maxLength: 40, rules: 'failed' },
  codeLenses: true,
  sampleFiles: ['**/*.claims.{json,yaml,yml}'],
  roleFiles: ['**/*{role,rbac}*.{yaml,yml}'],
  roleHints: true,
  configurationFiles: [],
  outline: true,
  formatting: false,
  analysisTimeoutMs: 5000,
  diagnosticsScope: 'openFiles',
};

/** Bounds of the setting `analysisTimeout`, in milliseconds. */
const minAnalysisTimeoutMs = 100;
const maxAnalysisTimeoutMs = 60_000;

/** Returns the options; missing and invalid settings take their defaults. */
export const readOptions = (settings: unknown): EditorOptions => {
  const clock = settingAt(settings, 'clock');
  const fixed = typeof clock === 'string' && clock !== 'now' ? Date.parse(clock) : Number.NaN;
  const target = settingAt(settings, 'targetVersion');
  const isChosen = typeof target === 'string' && target !== 'newest';
  const release = isChosen ? parseRelease(target) : undefined;
  const maxLength = settingAt(settings, 'inlayHints', 'maxLength');
  const levels = settingAt(settings, 'lint', 'level');
  const timeout = settingAt(settings, 'analysisTimeout');
  return {
    settings: { ...noSettings, targetRelease: release, lintLevels: levelsOf(levels) },
    fixedClock: Number.isNaN(fixed) ? undefined : fixed,
    inlayHints: {
      enabled: booleanOr(settingAt(settings, 'inlayHints', 'enabled'), true),
      maxLength:
        typeof maxLength === 'number' && maxLength >= 8
          ? Math.trunc(maxLength)
          : defaultOptions.inlayHints.maxLength,
      rules: settingAt(settings, 'inlayHints', 'rules') === 'all' ? 'all' : 'failed',
    },
    codeLenses: booleanOr(settingAt(settings, 'codeLens', 'enabled'), true),
    sampleFiles: stringList(settingAt(settings, 'samples', 'files')) ?? defaultOptions.sampleFiles,
    roleFiles: stringList(settingAt(settings, 'roles', 'files')) ?? defaultOptions.roleFiles,
    roleHints: booleanOr(settingAt(settings, 'roles', 'hints'), true),
    configurationFiles:
      stringList(settingAt(settings, 'files')) ?? defaultOptions.configurationFiles,
    outline: settingAt(settings, 'outline') !== 'off',
    formatting: booleanOr(settingAt(settings, 'format', 'enabled'), false),
    analysisTimeoutMs:
      typeof timeout === 'number' && !Number.isNaN(timeout)
        ? Math.min(Math.max(timeout, minAnalysisTimeoutMs), maxAnalysisTimeoutMs)
        : defaultOptions.analysisTimeoutMs,
    diagnosticsScope:
      settingAt(settings, 'diagnostics', 'scope') === 'workspace' ? 'workspace' : 'openFiles',
  };
};

/** Returns the release of kube-apiserver that loads the files. */
export const targetReleaseOf = ({ settings }: Pick<EditorOptions, 'settings'>): Release =>
  settings.targetRelease ?? newestRelease;

const levelsOf = (setting: unknown): Settings['lintLevels'] =>
  new Map(
    isRecord(setting)
      ? Object.entries(setting).flatMap(([name, level]) =>
          isLevel(level) ? [[name, level] as const] : [],
        )
      : [],
  );

const settingAt = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce(memberOf, value);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const booleanOr = (value: unknown, fallback: boolean): boolean =>
  typeof value === 'boolean' ? value : fallback;

const stringList = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;

const isLevel = (value: unknown): value is LintLevel => lintLevels.some((level) => level === value);
