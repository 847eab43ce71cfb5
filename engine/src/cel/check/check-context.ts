/** State shared by the parts of the checker. */
import type { Span } from '../../source/span.ts';
import type { CelNode } from '../tree/ast.ts';
import { formatCelType } from '../values/type-format.ts';
import { type CelType, errorType, typeParam } from '../values/types.ts';
import { createSubstitution, type Substitution } from '../values/unify.ts';
import type { Reference } from './checked-expression.ts';
import type { CelEnvironment } from './environment.ts';
import type { Scope } from './resolve-name.ts';

/** An unresolved name, for which a similar one can be suggested. */
export type UnresolvedName =
  | { readonly kind: 'name'; readonly name: string; readonly scope: Scope | undefined }
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly receiver: CelType | undefined;
      /** The receiver if it is just a name, such as `sets` in `sets.contains(…)`. */
      readonly namespace: string | undefined;
    }
  | { readonly kind: 'field'; readonly name: string; readonly of: string };

/** A type error with the location in cel-go's message and the span for editors. */
export interface CheckError {
  readonly message: string;
  /** Code point offset of cel-go's message; -1 for none. */
  readonly at: number;
  /** The span that editors underline. */
  readonly span: Span;
  readonly unresolved?: UnresolvedName;
  /**
   * True if wrapping the span in `dyn(…)` would fix the error, because its type is only known at
   * runtime.
   */
  readonly needsDyn?: true;
}

/** The state of checking one expression. */
export interface CheckContext {
  readonly environment: CelEnvironment;
  readonly substitution: Substitution;
  readonly types: Map<number, CelType>;
  readonly references: Map<number, Reference>;
  report(error: CheckError): void;
  typeOf(node: CelNode): CelType;
  fresh(): CelType;
}

/** The recursive checker, through which its parts check child nodes. */
export interface Checker {
  readonly context: CheckContext;
  /** Checks a node and its children, and returns the node with resolved names. */
  check(node: CelNode, scope: Scope | undefined): CelNode;
}

/** Formats cel-go's message `undeclared reference to 'x' (in container '')`. */
export const undeclaredMessage = ({ environment }: CheckContext, name: string): string =>
  `undeclared reference to '${name}' (in container '${environment.container}')`;

/** Returns the error of a node whose type differs from the expected one. */
export const typeMismatch = (node: CelNode, expected: CelType, actual: CelType): CheckError => ({
  message: `expected type '${formatCelType(expected)}' but found '${formatCelType(actual)}'`,
  at: node.at,
  span: node.span,
});

/** Creates the state of a check, which adds its errors to `errors`. */
export const createContext = (environment: CelEnvironment, errors: CheckError[]): CheckContext => {
  const types = new Map<number, CelType>();
  let freshCount = 0;
  return {
    environment,
    substitution: createSubstitution(),
    types,
    references: new Map(),
    report: (error) => {
      errors.push(error);
    },
    typeOf: (node) => types.get(node.id) ?? errorType,
    // The name appears in messages about types that are still unbound.
    fresh: () => typeParam(`_var${freshCount++}`),
  };
};
