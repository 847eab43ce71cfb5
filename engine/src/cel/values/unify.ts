/**
 * Unification: decides whether a type is assignable to another one, and binds free type variables.
 * Bindings of a failed attempt are rolled back, so that overloads can be tried one after the other.
 * The order of the rules is that of cel-go: it decides what a variable is bound to, and so what
 * later messages contain.
 */
import {
  type CelType,
  dynType,
  everyPair,
  hasUnset,
  isDynamic,
  isSameType,
  mapTypeParameters,
  runtimeTypeName,
  typeParameters,
} from './types.ts';

/** The types that the type variables of one tree are bound to so far. */
export interface Substitution {
  /**
   * Makes the types assignable by binding variables. Returns false, with no change, if that is
   * impossible.
   */
  assign(a: CelType, b: CelType): boolean;
  /** Makes the types of two lists assignable pair by pair, all or none. */
  assignAll(a: readonly CelType[], b: readonly CelType[]): boolean;
  /**
   * Returns the type with bound variables replaced. `resolve` leaves free variables; `resolveToDyn`
   * replaces them with `dyn`.
   */
  resolve(type: CelType): CelType;
  resolveToDyn(type: CelType): CelType;
}

/** Creates an empty substitution, in which every variable is free. */
export const createSubstitution = (): Substitution => {
  const bound = new Map<string, CelType>();
  /**
   * Previous bindings to restore, newest last, so that an attempt can be rolled back to any point.
   */
  const trail: (readonly [name: string, before: CelType | undefined])[] = [];

  const bind = (name: string, type: CelType): void => {
    trail.push([name, bound.get(name)]);
    bound.set(name, type);
  };

  const attempt = (run: () => boolean): boolean => {
    const mark = trail.length;
    const succeeded = run();
    while (!succeeded && trail.length > mark) {
      const undo = trail.pop();
      if (undo === undefined) break;
      if (undo[1] === undefined) bound.delete(undo[0]);
      else bound.set(undo[0], undo[1]);
    }
    trail.length = mark;
    return succeeded;
  };

  const isAssignable = (a: CelType, b: CelType): boolean => {
    if (b.kind === 'param') {
      const bySubstitution = trySubstitution(a, b);
      if (bySubstitution !== 'free') return bySubstitution === 'fits';
    }
    if (a.kind === 'param') return trySubstitution(b, a) === 'fits';
    if (isWildcard(a) || isWildcard(b)) return true;
    if (a.kind === 'unset') return false;
    if (a.kind === 'null') return isNullable(b);
    if (b.kind === 'null') return isNullable(a);
    if (a.kind === 'type') return b.kind === 'type';
    if (a.kind !== b.kind || runtimeTypeName(a) !== runtimeTypeName(b)) return false;
    return areAssignable(typeParameters(a), typeParameters(b));
  };

  const areAssignable = (a: readonly CelType[], b: readonly CelType[]): boolean =>
    everyPair(a, b, isAssignable);

  /**
   * Checks whether `type` may replace the variable; `free` means that it is unbound and cannot be
   * bound to this type.
   */
  const trySubstitution = (
    type: CelType,
    variable: CelType & { readonly kind: 'param' },
  ): 'fits' | 'differs' | 'free' => {
    if (type.kind === 'param' && type.name === variable.name) return 'fits';
    const current = bound.get(variable.name);
    if (current === undefined) {
      if (occursIn(variable, type)) return 'free';
      bind(variable.name, type);
      return 'fits';
    }
    if (isSameType(type, current) && !hasUnset(type)) return 'fits';
    if (!isAssignable(type, current)) return 'differs';
    const general = mostGeneral(type, current);
    if (!occursIn(variable, general)) bind(variable.name, general);
    return 'fits';
  };

  const occursIn = (variable: CelType & { readonly kind: 'param' }, within: CelType): boolean => {
    let type = within;
    while (type.kind === 'param') {
      if (type.name === variable.name) return true;
      const next = bound.get(type.name);
      if (next === undefined) return false;
      type = next;
    }
    return typeParameters(type).some((parameter) => occursIn(variable, parameter));
  };

  const replace = (type: CelType, free: CelType | undefined): CelType => {
    let resolved = type;
    while (resolved.kind === 'param') {
      const next = bound.get(resolved.name);
      if (next === undefined) return free ?? resolved;
      resolved = next;
    }
    return mapTypeParameters(resolved, (parameter) => replace(parameter, free));
  };

  return {
    assign: (a, b) => attempt(() => isAssignable(a, b)),
    assignAll: (a, b) => attempt(() => areAssignable(a, b)),
    resolve: (type) => replace(type, undefined),
    resolveToDyn: (type) => replace(type, dynType),
  };
};

/** Returns the less specific one of two types that unify. */
export const mostGeneral = (a: CelType, b: CelType): CelType =>
  isEqualOrLessSpecific(a, b) ? a : b;

const isEqualOrLessSpecific = (a: CelType, b: CelType): boolean => {
  if (isDynamic(a) || a.kind === 'param') return true;
  if (isDynamic(b) || b.kind === 'param') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (runtimeTypeName(a) !== runtimeTypeName(b)) return false;
  return everyPair(typeParameters(a), typeParameters(b), isEqualOrLessSpecific);
};

/** An `error` type is assignable to everything, so that one mistake is reported once. */
const isWildcard = (type: CelType): boolean => isDynamic(type) || type.kind === 'error';

const isNullable = (type: CelType): boolean => {
  switch (type.kind) {
    case 'null':
    case 'optional':
    case 'opaque':
    case 'object':
    case 'duration':
    case 'timestamp':
      return true;
    default:
      return 'nullable' in type && type.nullable === true;
  }
};
