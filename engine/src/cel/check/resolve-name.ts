/**
 * Names: which declaration a name means, given the container it stands in and the variables that
 * macros bind. A leading dot asks for the outermost name.
 */
import type { Release } from '../../model/release.ts';
import type { CelType } from '../values/types.ts';

/** Variables bound by comprehensions, innermost first. */
export interface Scope {
  readonly outer: Scope | undefined;
  readonly variables: ReadonlyMap<string, CelType>;
}

/** What a name turned out to be. */
export interface ResolvedName {
  /** With a leading dot where an inner variable of that name must be passed by. */
  readonly name: string;
  readonly type: CelType;
}

/** What a name may stand for, most qualified first: in `a.b` the name `c` is `a.b.c`, `a.c` or `c`. */
export const candidateNames = (container: string, name: string): readonly string[] => {
  if (name.startsWith('.')) return [name.slice(1)];
  const candidates: string[] = [];
  for (let within = container; within !== ''; within = parentOf(within)) {
    candidates.push(`${within}.${name}`);
  }
  return [...candidates, name];
};

/** The type of a variable that a macro binds, the innermost first. */
const localVariable = (scope: Scope | undefined, name: string): CelType | undefined => {
  const bare = name.startsWith('.') ? name.slice(1) : name;
  for (let within = scope; within !== undefined; within = within.outer) {
    const type = within.variables.get(bare);
    if (type !== undefined) return type;
  }
  return undefined;
};

/** What names are resolved in, outside of comprehensions. */
interface Globals {
  readonly release: Release;
  readonly container: string;
  identifier(name: string): CelType | undefined;
}

/** First release in which a leading dot skips the variables of comprehensions, which hide qualified names. */
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

/** Resolves `a` or `a.b.c`; a qualified name whose first part is an inner variable is a field selection instead. */
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

/** The tree keeps the dot that passes inner variables by; a reference is the name itself. */
export const withoutDot = (name: string): string => (name.startsWith('.') ? name.slice(1) : name);
