/** Lists the mutants of a configuration. */
import type { Compilation } from '../../compile/compile.ts';
import { type ConfigExpression, expressionsOfEntry } from '../../config/expressions.ts';
import { editScalar } from '../../config/rules/edit-scalar.ts';
import type { SourceFile } from '../../source/source-file.ts';
import { cover, type Span, shiftSpan } from '../../source/span.ts';
import { applyEdits, type TextEdit } from '../../source/text-edit.ts';
import { anonymousMutations } from './anonymous-mutations.ts';
import {
  type ExpressionMutation,
  type ExpressionMutations,
  expressionMutations,
} from './expression-mutations.ts';
import { type FieldOptions, fieldMutations } from './field-mutations.ts';
import type { Mutant, Mutation } from './mutant.ts';

/** More mutants of one configuration are not tried. */
const maxMutants = 1000;

/** The mutants of a configuration. */
export interface CreatedMutants {
  readonly mutants: readonly Mutant[];
  /** How many changes are not tried: of elements of long lists, and beyond the limit. */
  readonly leftOut: number;
}

/**
 * Returns the mutants of a configuration in the order of the file; two changes with the same text are
 * one mutant.
 */
export const createMutants = (
  compilation: Compilation,
  otherAudience: FieldOptions['otherAudience'] = () => undefined,
): CreatedMutants => {
  const { configuration, document } = compilation;
  if (configuration === undefined) return { mutants: [], leftOut: 0 };
  const { source, format } = document;
  const options = { place: { source, format }, otherAudience };
  const anonymous = anonymousMutations(configuration.anonymous);
  let { leftOut } = anonymous;
  const mutations = configuration.jwt.flatMap((entry, index) => [
    ...fieldMutations(configuration, index, options),
    ...expressionsOfEntry(entry, `jwt[${index}]`).flatMap((expression) => {
      const found = mutationsOfExpression(compilation, expression);
      leftOut += found.leftOut;
      return found.mutations;
    }),
  ]);
  mutations.push(...anonymous.mutations);
  leftOut += Math.max(0, mutations.length - maxMutants);
  const mutants = new Map<string, Omit<Mutant, 'id'>>();
  for (const mutation of mutations.slice(0, maxMutants)) {
    const mutant = mutantOf(mutation, source);
    const { span, original, replacement } = mutant;
    const key = `${span.start} ${span.end} ${replacement}`;
    if (replacement !== original && !mutants.has(key)) mutants.set(key, mutant);
  }
  const sorted = [...mutants.values()].toSorted(
    (a, b) => a.span.start - b.span.start || a.span.end - b.span.end,
  );
  return {
    mutants: sorted.map((mutant, index) => ({ ...mutant, id: String(index + 1) })),
    leftOut,
  };
};

const mutationsOfExpression = (
  { expressions, document: { source } }: Compilation,
  expression: ConfigExpression,
): Omit<ExpressionMutations, 'mutations'> & { readonly mutations: readonly Mutation[] } => {
  const checked = expressions.get(expression.path)?.compilation.checked;
  if (checked === undefined) return { mutations: [], leftOut: 0 };
  const at = expression.path.replace(/\.(?:valueE|e)xpression$/, '');
  const root = expression.environment;
  const found = expressionMutations(checked, root);
  const changes = [
    ...(expression.result === 'bool' ? ruleMutations(expression.text.value) : []),
    ...found.mutations,
  ];
  const mutations = changes.map(({ operator, description, edits }) => ({
    operator,
    at,
    description,
    edits: editScalar(source, expression.text, edits),
  }));
  return { mutations, leftOut: found.leftOut };
};

/** Returns the changes of a rule as a whole. */
const ruleMutations = (text: string): readonly ExpressionMutation[] => {
  const around = (before: string, after: string): readonly TextEdit[] => [
    { span: { start: 0, end: 0 }, newText: before },
    { span: { start: text.length, end: text.length }, newText: after },
  ];
  return [
    {
      operator: text.includes('email_verified') ? 'EmailVerified' : 'Rule',
      description: 'the rule always holds',
      edits: around('(', ') || true'),
    },
    { operator: 'Rule', description: 'the rule is negated', edits: around('!(', ')') },
  ];
};

const mutantOf = (mutation: Mutation, source: SourceFile): Omit<Mutant, 'id'> => {
  const place = mutation.edits.map(({ span }) => span).reduce(cover);
  const inside = mutation.edits.map(({ span, newText }) => ({
    span: shiftSpan(span, -place.start),
    newText,
  }));
  const original = textAt(source, place);
  return {
    ...mutation,
    span: place,
    original,
    replacement: applyEdits(original, inside),
    text: () => applyEdits(source.text, mutation.edits),
  };
};

const textAt = ({ text }: SourceFile, { start, end }: Span): string => text.slice(start, end);
