/**
 * Suggests a declared name for an unknown one. It must differ by at most two insertions, deletions,
 * substitutions or transpositions, and by at most half of its length. A tie suggests nothing.
 */

import { editDistance } from '../../formats/edit-distance.ts';
import { macrosIn } from '../syntax/macros.ts';
import type { UnresolvedName } from './check-context.ts';
import type { CelEnvironment } from './environment.ts';
import type { Scope } from './resolve-name.ts';

/** Returns the most similar declared name, if there is one. */
export const suggestName = (
  unresolved: UnresolvedName,
  environment: CelEnvironment,
): string | undefined => {
  const name = unresolved.name.startsWith('.') ? unresolved.name.slice(1) : unresolved.name;
  if (name.length > maxNameLength) return undefined;
  return nearest(name, candidatesFor(unresolved, environment));
};

/** Maximum length of a name that gets suggestions; no declared name is similar to longer ones. */
const maxNameLength = 64;

const candidatesFor = (
  unresolved: UnresolvedName,
  environment: CelEnvironment,
): Iterable<string> => {
  switch (unresolved.kind) {
    case 'name':
      return namesInScope(unresolved.scope, environment);
    case 'field':
      return environment.fieldsOf(unresolved.of)?.keys() ?? [];
    case 'function':
      return functionNames(unresolved, environment);
  }
};

const namesInScope = (scope: Scope | undefined, environment: CelEnvironment): Set<string> => {
  const names = new Set(environment.variables.keys());
  for (let within = scope; within !== undefined; within = within.outer) {
    for (const name of within.variables.keys()) if (isWritable(name)) names.add(name);
  }
  // Namespaces too: `sets` in `sets.contains` is parsed as a name if the function is not found.
  for (const name of environment.functions.keys()) {
    const dot = name.indexOf('.');
    if (dot > 0) names.add(name.slice(0, dot));
  }
  return names;
};

const functionNames = (
  { receiver, namespace }: UnresolvedName & { readonly kind: 'function' },
  environment: CelEnvironment,
): Set<string> => {
  const names = new Set<string>();
  const prefix = namespace === undefined ? undefined : `${namespace}.`;
  for (const name of environment.functions.keys()) {
    if (prefix !== undefined && name.startsWith(prefix)) names.add(name.slice(prefix.length));
  }
  if (names.size > 0) return names;
  const isMember = receiver !== undefined;
  for (const { name, overloads } of environment.functions.values()) {
    if (overloads.some(({ declaration }) => declaration.member === isMember)) names.add(name);
  }
  for (const macro of macrosIn(environment.release, environment.macros)) {
    if (macro.isReceiverStyle === isMember) names.add(macro.name);
  }
  return names;
};

/**
 * Reports whether a name can be written in an expression; hidden variables and internal functions
 * cannot.
 */
const isWritable = (name: string): boolean => /^[A-Za-z_][\w.]*$/.test(name);

const nearest = (name: string, candidates: Iterable<string>): string | undefined => {
  let best: string | undefined;
  let bestDistance = Math.min(2, Math.floor(name.length / 2)) + 1;
  for (const candidate of candidates) {
    // The name is correct but used incorrectly, so another name would not fix the error.
    if (candidate === name) return undefined;
    if (!isWritable(candidate)) continue;
    const distance =
      candidate.toLowerCase() === name.toLowerCase() ? 0 : editDistance(name, candidate);
    if (distance > bestDistance) continue;
    if (distance === bestDistance) best = undefined;
    else {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
};
