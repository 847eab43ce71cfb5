/**
 * Resolves names to declarations, by the container and the variables of enclosing macros. A leading
 * dot refers to the outermost name.
 */
import type { Release } from '../../model/release.ts';
import type { CelType } from '../values/types.ts';

/** Variables bound by comprehensions, innermost first. */
export interface Scope {
  readonly outer: Scope | undefined;
  readonly variables: ReadonlyMap<string, CelType>;
}

/** The declaration that a name refers to. */
export interface ResolvedName {
  /** The declared name, with a leading dot if a macro variable hides it. */
  readonly name: string;
  readonly type: CelType;
}

/**
 * Returns the names that a name may refer to, most qualified first: `a.b.c`, `a.c` and `c` for `c`
 * in `a.b`.
 */
export const candidateNames = (container: string, name: string): readonly string[] => {
  if (name.startsWith('.')) return [name.slice(1)];
  const candidates: string[] = [];
  for (let within = container; within !== ''; within = parentOf(within)) {
    candidates.push(`${within}.${name}`);
  }
  return [...candidates, name];
};

/** Returns the type of the innermost macro variable with a name. */
const localVariable = (scope: Scope | undefined, name: string): CelType | undefined => {
  const bare = name.startsWith('.') ? name.slice(1) : name;
  for (let within = scope; within !== undefined; within = within.outer) {
    const type = within.variables.get(bare);
    if (type !== undefined) return type;
  }
  return undefined;
};

/** The declarations outside of comprehensions. */
interface Globals {
  readonly release: Release;
  readonly container: string;
  identifier(name: string): CelType | undefined;
}

/** First release in which macro variables hide qualified names and a leading dot bypasses them. */
const bypassesLocalsSince: Release = 37;

const resolveInAllScopes = (
  qualifiers: readonly string[],
  scope: Scope | undefined,
  globals: Globals,
): ResolvedName | undefined => {
  for (const name of candidateNames(globals.container, qualifiers.join('.'))) {
    const type = localVariable(scope, name) ?? globals.identifier(name);
    if (type !== undefined) return { name, type };
  }
  return undefined;
};

/**
 * Resolves `a` or `a.b.c`. A qualified name that starts with a macro variable is a field selection
 * and is not resolved.
 */
export const resolveName = (
  qualifiers: readonly string[],
  scope: Scope | undefined,
  globals: Globals,
): ResolvedName | undefined => {
  if (globals.release < bypassesLocalsSince) return resolveInAllScopes(qualifiers, scope, globals);
  const first = qualifiers[0] ?? '';
  const local = localVariable(scope, first);
  if (local !== undefined && !first.startsWith('.')) {
    return qualifiers.length === 1 ? { name: first, type: local } : undefined;
  }
  for (const candidate of candidateNames(globals.container, qualifiers.join('.'))) {
    const type = globals.identifier(candidate);
    if (type !== undefined) {
      return { name: local === undefined ? candidate : `.${candidate}`, type };
    }
  }
  return undefined;
};

const parentOf = (container: string): string => {
  const dot = container.lastIndexOf('.');
  return dot === -1 ? '' : container.slice(0, dot);
};

/** Removes the leading dot of a name, which the tree preserves and references omit. */
export const withoutDot = (name: string): string => (name.startsWith('.') ? name.slice(1) : name);
