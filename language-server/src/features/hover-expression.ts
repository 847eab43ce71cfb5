/** Hover inside an expression: the smallest written node, its type, and what it comes to for samples. */
import {
  calledNames,
  claimReadBy,
  compileExpression,
  describedName,
  type ExpressionCompilation,
  type KnownName,
  meantBy,
  namespaceNames,
  oneLine,
  partOfStep,
  selectors,
  shownValue,
  stepAt,
  typeText,
  type WrittenStep,
  writtenPlace,
  writtenSteps,
} from '@authgraph/engine/language';
import type { Hover } from 'vscode-languageserver';
import { markdown } from './completion-item.ts';
import { type ExpressionPlace, environmentOf, fileSpanOf } from './expression-place.ts';
import { claimText } from './hover-value.ts';
import { block, cell, code, paragraphs, table } from './markdown.ts';
import { nameText } from './name-text.ts';
import { type SampleValue, typeOfPlacedPart, valuesOfPart } from './sample-values.ts';

export const hoverExpression = (place: ExpressionPlace): Hover | undefined => {
  const { text } = place.value.scalar;
  const compilation = compilationOf(place);
  const at = writtenPlace(text, place.offset);
  if (at.kind === 'comment') return undefined;
  const steps = writtenSteps(compilation.checked.parsed);
  const step = stepAt(steps, place.offset);
  if (step === undefined) return undefined;
  const target = meantBy(step);
  const part = partOfStep(text, target);
  const values = target.node.kind === 'literal' ? [] : valuesOfPart(place, part);
  const type =
    compilation.checked.types.get(target.treeId) ?? typeOfPlacedPart(place, part, values).declared;
  const written = text.slice(part.span.start, part.span.end);
  const named = namedCall(place, text, target);
  const claim =
    place.environment === 'claims'
      ? claimReadBy(compilation.checked.parsed, target.node)
      : undefined;
  const shownType = type === undefined || type.kind === 'error' ? '' : typeText(type);
  const contents = paragraphs(
    block('cel', `${oneLine(written.trim())}${shownType === '' ? '' : `  // ${shownType}`}`),
    valuesText(values),
    named === undefined ? operatorText(place, target) : nameText(named, place.release),
    claim === undefined ? undefined : claimText([], claim).split('\n\n').slice(1, -1).join('\n\n'),
  );
  return {
    contents: markdown(contents),
    range: place.context.part.places.range(fileSpanOf({ ...place, offset: -1 }, step.node.span)),
  };
};

/** The one of the compilation, while its text is that of the file. */
const compilationOf = (place: ExpressionPlace): ExpressionCompilation => {
  const { value, environment, release, context } = place;
  const { text } = value.scalar;
  const known = context.part.compilation.expressions.get(value.path)?.compilation;
  if (known?.checked.parsed.text === text) return known;
  return compileExpression({ text, environment, result: 'any', release });
};

const valuesText = (values: readonly SampleValue[]): string => {
  const [chosen] = values.filter(({ isChosen }) => isChosen);
  const others = values.filter((value) => value !== chosen);
  return paragraphs(
    chosen === undefined
      ? undefined
      : `**${code(chosen.sample.name, 40)}**${chosen.isForeign ? ' (of another issuer)' : ''} → ${shown(chosen, code)}`,
    table(
      ['sample', 'value'],
      others.map((value) => [cell(value.sample.name, 40), shown(value, cell)]),
    ),
  );
};

const shown = (value: SampleValue, as: (text: string, most: number) => string): string => {
  const { error, values, isEach } = value;
  if (error !== undefined) return `error: ${as(error, 120)}`;
  if (!isEach) return as(shownValue(values[0] ?? null), 120);
  if (values.length === 0) return 'never asked: nothing to go over';
  const each = values.slice(0, 8).map(shownValue).join(', ');
  return `each: ${as(each, 120)}${values.length > 8 ? ` and ${values.length - 8} more` : ''}`;
};

/** The function or macro of a call, in those forms that fit its receiver. */
const namedCall = (
  place: ExpressionPlace,
  text: string,
  { node }: WrittenStep,
): KnownName | undefined => {
  if (node.kind !== 'call' || !/^[A-Za-z_]\w*$/.test(node.function)) return undefined;
  const { target } = node;
  if (target === undefined) return calledNames(node.function, undefined, place)[0];
  const written = text.slice(target.span.start, target.span.end);
  const [inSpace] = namespaceNames(written, place).filter(({ name }) => name === node.function);
  if (inSpace !== undefined) return inSpace;
  const part = { span: target.span, bindings: writtenPlace(text, target.span.start).bindings };
  const seen = valuesOfPart(place, part);
  const { likely } = typeOfPlacedPart(place, part, seen);
  const [fitting] = likely === undefined ? [] : calledNames(node.function, likely, place);
  return fitting ?? describedName(node.function, 'member', place)[0];
};

/** What a selection does nobody has to be told. */
const operatorText = (place: ExpressionPlace, { node }: WrittenStep): string | undefined =>
  node.kind === 'call' && !selectors.has(node.function)
    ? environmentOf(place).functions.get(node.function)?.doc
    : undefined;
