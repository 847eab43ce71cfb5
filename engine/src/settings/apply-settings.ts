/** Applies levels and suppressions to the diagnostics of a file. */
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { matcher } from './glob.ts';
import { levelOf, lintLevels, type Settings, type Suppression } from './settings.ts';

export interface AppliedFile {
  readonly settings: Pick<Settings, 'lintLevels' | 'suppressions'>;
  /** Path relative to the folder of the settings file, with `/`. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Called with each suppression that removes a diagnostic. */
  readonly onSuppressed?: (suppression: Suppression) => void;
}

/** Returns the diagnostics as the settings report them. Only lints are affected. */
export const applySettings = (
  diagnostics: readonly Diagnostic[],
  { settings, path, now, onSuppressed }: AppliedFile,
): readonly Diagnostic[] => {
  const applicable = settings.suppressions.filter((one) => appliesTo(one, path, now));
  return diagnostics.flatMap((diagnostic) => {
    if (diagnostic.source !== 'lint') return [diagnostic];
    const level = levelOf(settings, diagnostic);
    if (level === 'off') return [];
    const suppression = applicable.find(
      (one) => one.code === diagnostic.code && covers(one, diagnostic.path ?? ''),
    );
    if (suppression !== undefined) {
      onSuppressed?.(suppression);
      return [];
    }
    return level === undefined || level === diagnostic.severity
      ? [diagnostic]
      : [{ ...diagnostic, severity: level }];
  });
};

/** Returns whether a suppression concerns a file at a time. */
const appliesTo = ({ files, expiresAt }: Suppression, path: string, now: number): boolean =>
  (expiresAt === undefined || now < expiresAt) && (files === undefined || matcher([files])(path));

const covers = ({ path }: Suppression, field: string): boolean =>
  path === undefined ||
  field === path ||
  (field.startsWith(path) && /^[.[]/.test(field.slice(path.length)));

/**
 * Returns the settings without what an untrusted workspace must not change: lints can be raised
 * but not lowered, nothing is suppressed, and sample folders are below the settings file.
 */
export const untrustedSettings = (
  settings: Settings,
  rules: readonly Pick<Diagnostic, 'code' | 'name' | 'severity' | 'source'>[],
): Settings => ({
  ...settings,
  lintLevels: new Map(
    rules.flatMap((rule) => {
      const level = rule.source === 'lint' ? levelOf(settings, rule) : undefined;
      const isRaised =
        level !== undefined && lintLevels.indexOf(level) < lintLevels.indexOf(rule.severity);
      return isRaised ? [[rule.code, level] as const] : [];
    }),
  ),
  suppressions: [],
  sampleFolders: settings.sampleFolders.filter((folder) => !folder.split(/[\\/]/).includes('..')),
});
