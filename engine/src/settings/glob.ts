/**
 * Matches the globs of settings: `**`, `*`, `?` and `{a,b}`. Settings may come with an untrusted
 * workspace, so matching takes at most glob length times path length steps, and brace expansion is
 * bounded.
 */

/** Characters of a glob. A longer one matches nothing. */
const maxGlobLength = 256;

/** Globs of one setting after brace expansion. */
const maxGlobs = 100;

/** Returns whether a relative path with `/` matches. */
export type PathTest = (path: string) => boolean;

/** Returns what is wrong with a glob of files below a folder; `undefined` for a valid one. */
export const globProblem = (glob: string): string | undefined => {
  if (glob.length > maxGlobLength) return `must have at most ${maxGlobLength} characters`;
  return /^(?:[/\\]|[A-Za-z]:)/.test(glob) || glob.split('/').includes('..')
    ? 'must be relative to the folder of the settings file and stay in it'
    : undefined;
};

/** Globs over the length limit match nothing. */
export const matcher = (globs: readonly string[]): PathTest => {
  const plain = globs
    .filter(({ length }) => length <= maxGlobLength)
    .slice(0, maxGlobs)
    .flatMap(expandBraces)
    .slice(0, maxGlobs)
    .map((glob) => glob.replace(/^\.?\//, '').split('/'));
  return (path) => {
    const segments = path.split('/');
    return plain.some((pattern) => matchesPath(pattern, segments));
  };
};

/** Expands `a.{b,c}` to `a.b` and `a.c`. */
const expandBraces = (glob: string): readonly string[] => {
  let expanded: string[] = [''];
  for (const [, text = '', inner] of glob.matchAll(/([^{]+|\{(?=[^}]*$))|\{([^}]*)\}/g)) {
    const alternatives = inner === undefined ? [text] : inner.split(',');
    expanded = expanded
      .flatMap((start) => alternatives.map((end) => start + end))
      .slice(0, maxGlobs);
  }
  return expanded;
};

const matchesPath = (pattern: readonly string[], segments: readonly string[]): boolean =>
  matchesList(pattern, segments, {
    any: '**',
    one: (glob, segment) => matchesList([...glob], [...segment], character),
  });

interface Wildcard {
  /** Matches any number of items. */
  readonly any: string;
  one(pattern: string, item: string): boolean;
}

const character: Wildcard = {
  any: '*',
  one: (pattern, item) => pattern === '?' || pattern === item,
};

/** Backtracks to the last wildcard only, which is sufficient. */
const matchesList = (
  pattern: readonly string[],
  items: readonly string[],
  { any, one }: Wildcard,
): boolean => {
  let at = 0;
  let next = 0;
  let resume: { readonly pattern: number; readonly item: number } | undefined;
  while (at < items.length) {
    const wanted = pattern[next];
    const item = items[at];
    if (wanted === any) {
      resume = { pattern: next + 1, item: at };
      next += 1;
    } else if (wanted !== undefined && item !== undefined && one(wanted, item)) {
      at += 1;
      next += 1;
    } else if (resume === undefined) return false;
    else {
      resume = { pattern: resume.pattern, item: resume.item + 1 };
      at = resume.item;
      next = resume.pattern;
    }
  }
  return pattern.slice(next).every((rest) => rest === any);
};
