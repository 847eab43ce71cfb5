/** What the pieces of the checker share while they walk one tree. */
import type { Span } from '../../source/span.ts';
import type { CelNode } from '../tree/ast.ts';
import { type CelType, errorType, typeParam } from '../values/types.ts';
import { createSubstitution, type Substitution } from '../values/unify.ts';
import type { Reference } from './checked-expression.ts';
import type { CelEnvironment } from './environment.ts';
import type { Scope } from './resolve-name.ts';

/** Something that was named and is not there: what a suggestion looks for. */
export type UnresolvedName =
  | { readonly kind: 'name'; readonly name: string; readonly scope: Scope | undefined }
  | {
      readonly kind: 'function';
      readonly name: string;
      readonly receiver: CelType | undefined;
      /** `sets` of `sets.contains(…)`, where the receiver is nothing but a name. */
      readonly namespace: string | undefined;
    }
  | { readonly kind: 'field'; readonly name: string; readonly of: string };

/** One cause, with the place that the real text points at and the piece an editor underlines. */
export interface CheckError {
  readonly message: string;
  /** Code point offset that the real text points at; -1 for none. */
  readonly at: number;
  /** The piece of text that an editor underlines. */
  readonly span: Span;
  readonly unresolved?: UnresolvedName;
  /** The piece may be anything at run time; `dyn(…)` around it says so to the checker. */
  readonly needsDyn?: true;
}

/** State of one check. */
export interface CheckContext {
  readonly environment: CelEnvironment;
  readonly substitution: Substitution;
  readonly types: Map<number, CelType>;
  readonly references: Map<number, Reference>;
  report(error: CheckError): void;
  typeOf(node: CelNode): CelType;
  fresh(): CelType;
}

/** The walk over one tree: each piece of the checker goes down through it. */
export interface Checker {
  readonly context: CheckContext;
  /** Types a node and what is below it, and gives the node with its names resolved. */
  check(node: CelNode, scope: Scope | undefined): CelNode;
}

/** `undeclared reference to 'x' (in container '')` */
export const undeclaredMessage = ({ environment }: CheckContext, name: string): string =>
  `undeclared reference to '${name}' (in container '${environment.container}')`;

/** What is shared by the pieces; errors go into the list given. */
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
    // The name shows in messages where a type is still open.
    fresh: () => typeParam(`_var${freshCount++}`),
  };
};
