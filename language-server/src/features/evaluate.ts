/** `authgraph/evaluate`: the value of a selected expression for every sample of its authenticator. */
import {
  decodedPosition,
  draftPlace,
  findTokens,
  formatCelType,
  oneLine,
  placeAt,
  span,
  typeOfValue,
} from '@authgraph/engine/language';
import type { CancellationToken, Position, Range } from 'vscode-languageserver';
import { URI, Utils } from 'vscode-uri';
import { type EvaluateAnswer, type EvaluateParams, evaluateRequest } from '../protocol.ts';
import type { Sample } from '../samples.ts';
import { problems } from '../unavailable-reasons.ts';
import { currentOfEntry, samplesOfEntry } from './entry-samples.ts';
import { type ExpressionPlace, expressionPlace } from './expression-place.ts';
import type { HandlerFactory, PartContext } from './feature.ts';
import { block, cell, code, paragraphs, table } from './markdown.ts';
import { requestFeature } from './request-feature.ts';
import { requestedParts } from './requested-parts.ts';
import {
  type EvaluatedPart,
  evaluatorOf,
  type PlacedPart,
  resultText,
  typeOfPlacedPart,
} from './sample-values.ts';

export const evaluate = requestFeature<EvaluateParams, EvaluateAnswer>(
  evaluateRequest,
  { problem: problems.failed },
  (params, handlers, token) => answerFor(params, handlers, token),
);

const answerFor = async (
  { uri, range }: EvaluateParams,
  handlers: HandlerFactory,
  token: CancellationToken,
): Promise<EvaluateAnswer> => {
  const { workspace } = handlers;
  await workspace.whenSearched();
  const { parts, problem } = await requestedParts(workspace, uri);
  if (problem !== undefined) return { problem };
  const [selected] = parts.flatMap((part) => selectionIn({ workspace, part }, range) ?? []);
  if (selected === undefined) return { problem: problems.noExpression };
  const { place, part } = selected;
  const run = evaluatorOf(place, part);
  if (run === undefined) return { problem: problems.notEvaluable };
  const samples = samplesOfEntry(place.context, place.index);
  if (samples.length === 0) return { problem: problems.noSampleOfIssuer };
  const current = currentOfEntry(place.context, place.index);
  const rows: (readonly string[])[] = [];
  for (const [index, sample] of samples.entries()) {
    if (index > 0 && index % rowsAtATime === 0) await handlers.pause(token);
    rows.push(rowOf(sample, run(sample), sample === current));
  }
  const [head = [], ...aligned] = alignColumns([['sample', 'value', 'type'], ...rows]);
  return { markdown: paragraphs(heading(selected), table(head, aligned)) };
};

/** Pads the cells, so that the Markdown is readable as text, too. */
const alignColumns = (rows: readonly (readonly string[])[]): readonly (readonly string[])[] => {
  const widths = rows.reduce<readonly number[]>(
    (widest, row) =>
      row.map((text, at) => Math.min(maxWidth, Math.max(widest[at] ?? 0, text.length))),
    [],
  );
  return rows.map((row) => row.map((text, at) => text.padEnd(widths[at] ?? 0)));
};

/** A longer cell does not widen the others of its column. */
const maxWidth = 60;

/** Other requests run after each batch of this many evaluations. */
const rowsAtATime = 8;

interface Selection {
  readonly place: ExpressionPlace;
  readonly part: PlacedPart;
}

/**
 * Returns the selected part of the expression in which the selection starts or ends; of a selection
 * that reaches beyond the expression, the part that is inside.
 */
const selectionIn = (context: PartContext, { start, end }: Range): Selection | undefined => {
  const first = expressionAt(context, start);
  const last = expressionAt(context, end);
  const place = first ?? last;
  if (place === undefined) return undefined;
  const { text } = place;
  const isSame = first?.value.path === last?.value.path;
  const from = first?.offset ?? 0;
  const to = last !== undefined && (isSame || first === undefined) ? last.offset : text.length;
  const selected = text.slice(from, to);
  const isWhole = selected.trim() === '';
  const trimmedStart = from + selected.length - selected.trimStart().length;
  const part = isWhole
    ? span(0, text.length)
    : span(trimmedStart, from + selected.trimEnd().length);
  return { place, part: { span: part, bindings: draftPlace(text, part.start).bindings } };
};

const expressionAt = (context: PartContext, position: Position): ExpressionPlace | undefined => {
  const { source } = context.part.compilation.document;
  const at = context.part.places.offsetAt(position);
  const value = at === undefined ? undefined : placeAt(source, at);
  if (at === undefined || value?.kind !== 'value') return undefined;
  const place = expressionPlace(context, value, at);
  const [first] = value.scalar.map.pieces;
  // The opening quote, and the indicator of a block, are before the expression.
  return place === undefined || first === undefined || at > first.file
    ? place
    : { ...place, ...decodedPosition(value.scalar, first.file) };
};

/** Returns the expression with its type, and where it is. */
const heading = ({ place, part }: Selection): string => {
  const { text, value, context } = place;
  const { name, uri } = context.part;
  const written = text.slice(part.span.start, part.span.end).trim();
  const { declared } = typeOfPlacedPart(place, part, []);
  const type = declared === undefined ? '' : `  // ${formatCelType(declared)}`;
  return paragraphs(
    block('cel', `${oneLine(redactor(written)(written), maxExpression)}${type}`),
    `${code(value.path)} of ${code(name ?? Utils.basename(URI.parse(uri)))}`,
  );
};

const maxExpression = 1000;

const rowOf = (
  { name, claims }: Sample,
  result: EvaluatedPart | undefined,
  isCurrent: boolean,
): readonly string[] => {
  const title = isCurrent ? `**${cell(name)}** (current)` : cell(name);
  if (result === undefined) return [title, 'not evaluated: the mappings give no user', ''];
  const redact = redactor(JSON.stringify(claims.claims));
  const [value] = result.values;
  return [
    title,
    resultText(result, (text, most) => cell(redact(text), most)),
    value === undefined ? '' : cell(formatCelType(typeOfValue(value))),
  ];
};

/** Returns a function that removes the tokens of `source`, and their parts, from other text. */
const redactor = (source: string): ((text: string) => string) => {
  // A long part may be truncated in the text.
  const beginnings = findTokens(source)
    .flatMap(({ start, end }) => source.slice(start, end).split('.'))
    .filter((part) => part.length >= minSecretLength)
    .map((part) => part.slice(0, minSecretLength));
  return (text) =>
    beginnings.reduce((shown, beginning) => {
      const [before = '', ...others] = shown.split(beginning);
      return [before, ...others.map((rest) => rest.replace(/^[\w.-]*/, ''))].join('[redacted]');
    }, text);
};

/** The length from which a part of a token is a secret. */
const minSecretLength = 12;
