/** The settings of a project, whether flags, a settings file or an editor set them. */
import type { Severity } from '../diagnostics/diagnostic.ts';
import type { ApiDomain } from '../model/api-domain.ts';
import type { Release } from '../model/release.ts';
import type { Span } from '../source/span.ts';

/** The name of a settings file. It applies to the files of its folder and of all folders below. */
export const settingsFileName = '.authgraph.yaml';

/** The level of a lint: a severity, or `off`. */
export type LintLevel = Severity | 'off';

/** All levels, the most severe first. */
export const lintLevels: readonly LintLevel[] = ['error', 'warning', 'information', 'hint', 'off'];

/** A lint that is deliberately not reported at some places. */
export interface Suppression {
  /** The code of the lint. */
  readonly code: string;
  /** A glob of files, relative to the folder of the settings file; `undefined` for all files. */
  readonly files: string | undefined;
  /** The field that is exempt, with everything below it; `undefined` for the whole file. */
  readonly path: string | undefined;
  readonly reason: string;
  /** Milliseconds since 1970 from which it no longer applies. */
  readonly expiresAt: number | undefined;
  /** The entry in the settings file: its path, such as `suppressions[0]`, and its first line. */
  readonly entry: { readonly path: string; readonly span: Span };
}

/** What can be set for a file; `undefined` leaves a setting to the next source. */
export interface Settings {
  readonly targetRelease: Release | undefined;
  /** The only API domain that files may use. */
  readonly apiDomain: ApiDomain | undefined;
  /** Levels by the code or the name of a lint; `*` is the level of all other lints. */
  readonly lintLevels: ReadonlyMap<string, LintLevel>;
  readonly suppressions: readonly Suppression[];
  /** Folders of sample files, relative to the folder of the settings file. */
  readonly sampleFolders: readonly string[];
}

export const noSettings: Settings = {
  targetRelease: undefined,
  apiDomain: undefined,
  lintLevels: new Map(),
  suppressions: [],
  sampleFolders: [],
};

/** Returns the level that the settings give to a lint, or `undefined` for the lint's own. */
export const levelOf = (
  { lintLevels: levels }: Pick<Settings, 'lintLevels'>,
  { code, name }: { readonly code: string; readonly name: string },
): LintLevel | undefined => levels.get(code) ?? levels.get(name) ?? levels.get('*');

/** Combines two sources of settings; `upper` takes precedence. */
export const overlaySettings = (upper: Settings, lower: Settings): Settings => ({
  targetRelease: upper.targetRelease ?? lower.targetRelease,
  apiDomain: upper.apiDomain ?? lower.apiDomain,
  lintLevels: upper.lintLevels.has('*')
    ? upper.lintLevels
    : new Map([...lower.lintLevels, ...upper.lintLevels]),
  suppressions: [...upper.suppressions, ...lower.suppressions],
  sampleFolders: [...upper.sampleFolders, ...lower.sampleFolders],
});
