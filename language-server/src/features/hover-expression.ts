/**
 * Hover inside an expression: the smallest node at the cursor, its type, and its value for the
 * samples.
 */
import {
  claimReadBy,
  compileExpression,
  displayValue,
  draftPlace,
  type ExpressionCompilation,
  formatCelType,
  hoverTarget,
  type KnownName,
  namesByFullName,
  namesForCall,
  namespaceNames,
  oneLine,
  partOfNode,
  type SourceNode,
  sampleVariable,
  selectionOperators,
  sourceNodeAt,
  sourceNodes,
  typeOfValue,
} from '@authgraph/engine/language';
import type { Hover } from 'vscode-languageserver';
import { markdown } from './completion-item.ts';
import { type ExpressionPlace, environmentOf, fileSpanOf } from './expression-place.ts';
import { claimText } from './hover-value.ts';
import { block, cell, code, paragraphs, table } from './markdown.ts';
import { nameText } from './name-text.ts';
import {
  type PlacedPart,
  resultText,
  type SampleValue,
  typeOfPlacedPart,
  valuesOfPart,
} from './sample-values.ts';

export const hoverExpression = (place: ExpressionPlace): Hover | undefined => {
  const { text } = place.value.scalar;
  const compilation = compilationOf(place);
  const at = draftPlace(text, place.offset);
  if (at.kind === 'comment') return undefined;
  const steps = sourceNodes(compilation.checked.parsed);
  const step = sourceNodeAt(steps, place.offset);
  if (step === undefined) return undefined;
  const target = hoverTarget(step);
  const part = partOfNode(text, target);
  const values =
    target.node.kind === 'literal'
      ? []
      : valuesOfPart(place, part).filter(({ isOtherIssuer }) => !isOtherIssuer);
  const type =
    compilation.checked.types.get(target.expandedId) ??
    typeOfPlacedPart(place, part, values).declared;
  const written = text.slice(part.span.start, part.span.end);
  const named = namedCall(place, text, target);
  const claim =
    place.environment === 'claims'
      ? claimReadBy(compilation.checked.parsed, target.node)
      : undefined;
  const shownType = type === undefined || type.kind === 'error' ? '' : formatCelType(type);
  const contents = paragraphs(
    block('cel', `${oneLine(written.trim())}${shownType === '' ? '' : `  // ${shownType}`}`),
    isVariable(place, target.node, part) ? membersText(place, values) : valuesText(values),
    named === undefined ? operatorText(place, target) : nameText(named, place.release),
    claim === undefined ? undefined : claimText([], claim).split('\n\n').slice(1, -1).join('\n\n'),
  );
  return {
    contents: markdown(contents),
    range: place.context.part.places.range(fileSpanOf({ ...place, offset: -1 }, step.node.span)),
  };
};

/** Returns the existing compilation while the file still has its text. */
const compilationOf = (place: ExpressionPlace): ExpressionCompilation => {
  const { value, environment, release, context } = place;
  const { text } = value.scalar;
  const compiled = context.part.compilation.expressions.get(value.path)?.compilation;
  if (compiled?.checked.parsed.text === text) return compiled;
  return compileExpression({ text, environment, result: 'any', release });
};

const valuesText = (values: readonly SampleValue[]): string => {
  const [current] = values.filter(({ isCurrent }) => isCurrent);
  const others = values.filter((value) => value !== current);
  return paragraphs(
    current === undefined
      ? undefined
      : `**${code(current.sample.name, 40)}** → ${resultText(current, code)}`,
    table(
      ['sample', 'value'],
      others.map((value) => [cell(value.sample.name, 40), resultText(value, cell)]),
    ),
  );
};

/** Returns whether the node is `claims` or `user` itself, and not a macro variable of that name. */
const isVariable = (
  { environment }: ExpressionPlace,
  node: SourceNode['node'],
  { bindings }: PlacedPart,
): boolean =>
  node.kind === 'ident' &&
  node.name === environment &&
  bindings.every(({ names }) => !names.includes(environment));

/** Returns the members of the variable for the first sample, which is the current one if it fits. */
const membersText = (
  { context, index, environment }: ExpressionPlace,
  [first]: readonly SampleValue[],
): string => {
  const { compilation } = context.part;
  const record = first && sampleVariable(environment, { compilation, index }, first.sample.claims);
  if (first === undefined || record === undefined) return '';
  const members = Object.entries(record);
  const left = members.length - maxMembers;
  return paragraphs(
    `**${code(first.sample.name, 40)}**`,
    table(
      [environment === 'claims' ? 'claim' : 'field', 'type', 'value'],
      members
        .slice(0, maxMembers)
        .map(([name, value]) => [
          cell(name),
          cell(formatCelType(typeOfValue(value))),
          cell(displayValue(value)),
        ]),
    ),
    left > 0 ? `and ${left} more` : '',
  );
};

const maxMembers = 24;

/** Returns the function or macro of a call, in the forms that fit its receiver. */
const namedCall = (
  place: ExpressionPlace,
  text: string,
  { node }: SourceNode,
): KnownName | undefined => {
  if (node.kind !== 'call' || !/^[A-Za-z_]\w*$/.test(node.function)) return undefined;
  const { target } = node;
  if (target === undefined) return namesForCall(node.function, undefined, place)[0];
  const written = text.slice(target.span.start, target.span.end);
  const [inSpace] = namespaceNames(written, place).filter(({ name }) => name === node.function);
  if (inSpace !== undefined) return inSpace;
  const part = { span: target.span, bindings: draftPlace(text, target.span.start).bindings };
  const seen = valuesOfPart(place, part);
  const { likely } = typeOfPlacedPart(place, part, seen);
  const [fitting] = likely === undefined ? [] : namesForCall(node.function, likely, place);
  return fitting ?? namesByFullName(node.function, 'member', place)[0];
};

/** Selections need no explanation. */
const operatorText = (place: ExpressionPlace, { node }: SourceNode): string | undefined =>
  node.kind === 'call' && !selectionOperators.has(node.function)
    ? environmentOf(place).functions.get(node.function)?.doc
    : undefined;
