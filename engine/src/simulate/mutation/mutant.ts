/** Mutants: small changes of a configuration that its tests should notice. */
import type { Span } from '../../source/span.ts';
import type { TextEdit } from '../../source/text-edit.ts';

/**
 * What a mutant changes. Names that Stryker has too mean the same as there.
 *
 * @example
 * ```ts
 * const isAboutRules = (operator: MutationOperator) => operator === 'Rule';
 * ```
 */
export type MutationOperator =
  /** A rule always holds, or its result is negated. */
  | 'Rule'
  /** A rule that reads `email_verified` always holds. */
  | 'EmailVerified'
  /** A required value only has to be the beginning of the claim, or the claim only has to exist. */
  | 'RequiredValue'
  /** A prefix is removed or replaced by another one. */
  | 'Prefix'
  /** An audience is removed, replaced or added. */
  | 'Audience'
  /** Another claim is read. */
  | 'ClaimName'
  /** A mapping is removed. */
  | 'Mapping'
  /** Anonymous requests are accepted on more or on fewer paths. */
  | 'Anonymous'
  /** `&&` becomes `||`, and the reverse. */
  | 'LogicalOperator'
  /** `==` becomes `!=` or `startsWith`, `<` becomes `<=`. */
  | 'EqualityOperator'
  /** A condition is always true or always false. */
  | 'ConditionalExpression'
  /** `true` becomes `false`, `!a` becomes `a`. */
  | 'BooleanLiteral'
  /** A string becomes empty. */
  | 'StringLiteral'
  /** An element of a literal list is removed. */
  | 'ArrayDeclaration'
  /** `all` becomes `exists`, `startsWith` becomes `contains`. */
  | 'MethodExpression'
  /** A regular expression loses an anchor. */
  | 'Regex';

/** A change before it has an ID; the edits are those of the text of the configuration. */
export interface Mutation {
  readonly operator: MutationOperator;
  /** The field: `jwt[0].claimValidationRules[1]`. */
  readonly at: string;
  readonly description: string;
  readonly edits: readonly TextEdit[];
}

/**
 * A changed configuration.
 *
 * @example
 * ```ts
 * const line = ({ operator, original, replacement }: Mutant) =>
 *   `${operator}: ${original} → ${replacement}`;
 * ```
 */
export interface Mutant extends Mutation {
  readonly id: string;
  /** The changed range of the text, before the change. */
  readonly span: Span;
  readonly original: string;
  readonly replacement: string;
  /** Returns the text of the whole configuration with the change. */
  readonly text: () => string;
}

/**
 * The result of a mutant, as in reports of Stryker. `Ignored`: no token can show a difference, which is
 * proved.
 *
 * @example
 * ```ts
 * const isUndetected = (status: MutantStatus) => status === 'Survived' || status === 'NoCoverage';
 * ```
 */
export type MutantStatus = 'Killed' | 'Survived' | 'NoCoverage' | 'CompileError' | 'Ignored';
