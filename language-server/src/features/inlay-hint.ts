/** Inlay hints: what each mapping and rule evaluates to for the authenticator's current sample. */
import {
  bothEnds,
  type Compilation,
  displayJson,
  failureText,
  oneLine,
  type PreviewStep,
} from '@authgraph/engine/language';
import {
  type InlayHint,
  InlayHintKind,
  type InlayHintParams,
  type Range,
} from 'vscode-languageserver';
import { verdictSigns } from '../protocol.ts';
import type { Sample } from '../samples.ts';
import { comparePositions, sharesLine, touchesPosition } from '../to-protocol.ts';
import { currentOfEntry } from './entry-samples.ts';
import type { Feature, PartContext } from './feature.ts';
import { authorityHints } from './inlay-hint-authority.ts';
import { type SampleVerdict, verdictOn } from './sample-verdict.ts';

/**
 * Returns hints for the mappings and rules that end in the range; none without a current sample or
 * while a long document is analyzed, after which the server requests a refresh.
 */
const inlayHintsOf = (
  context: PartContext,
  { range }: Pick<InlayHintParams, 'range'>,
): readonly InlayHint[] => {
  const { workspace, part } = context;
  const { configuration } = part.compilation;
  if (!workspace.options.inlayHints.enabled || configuration === undefined) return [];
  return configuration.jwt
    .flatMap((_, index) => (meets(part, index, range) ? entryHints(context, index, range) : []))
    .toSorted((a, b) => comparePositions(a.position, b.position));
};

const entryHints = (context: PartContext, index: number, range: Range): readonly InlayHint[] => {
  const { workspace, part } = context;
  const { maxLength, rules } = workspace.options.inlayHints;
  const sample = currentOfEntry(context, index);
  if (sample === undefined) return [];
  const { compilation, places } = part;
  const verdict = verdictOn(part, sample, workspace.now());
  const steps = verdict.entries.find((entry) => entry.index === index)?.parts ?? [];
  const labels = [
    ...steps.flatMap((step) => {
      if (step.outcome.kind === 'passed' && rules === 'failed') return [];
      return [{ end: endOf(compilation, step), label: labelOf(compilation, step, sample) }];
    }),
    // Entries that repeat the issuer by mistake do not handle the token.
    ...(verdict.entries[0]?.index === index ? tokenLabels(compilation, verdict) : []),
  ];
  return labels.flatMap(({ end, label }) => {
    if (end === undefined || label === undefined) return [];
    const position = places.range({ start: end, end }).end;
    if (!touchesPosition(range, position)) return [];
    return [
      {
        position,
        label: shortened(label, maxLength),
        kind: InlayHintKind.Type,
        paddingLeft: true,
        // Names and claims are untrusted, so the tooltip is plain text.
        tooltip: {
          kind: 'plaintext',
          value: `${oneLine(sample.name)}: ${oneLine(label, tooltipLength)}`,
        },
      } satisfies InlayHint,
    ];
  });
};

/** Returns why a token with the claims would be rejected: audience next to the audiences. */
const tokenLabels = (
  { origins }: Compilation,
  { entries: [entry], problems, refusal }: SampleVerdict,
): readonly { readonly end: number | undefined; readonly label: string }[] =>
  problems.flatMap(({ check, text }) => {
    // The issuer determines times and signature.
    const field = check === 'audience' ? 'audiences' : 'url';
    const end = entry && origins.get(`${entry.path}.issuer.${field}`)?.end;
    return [
      {
        end,
        label: `${verdictSigns[refusal === undefined ? 'acceptedWithNote' : 'rejected']} ${text}`,
      },
    ];
  });

/** Maximum length of a tooltip, which shows the untruncated value. */
const tooltipLength = 4000;

/** Returns whether a part of the entry is in the range. */
const meets = (
  { compilation, places }: PartContext['part'],
  index: number,
  range: Range,
): boolean => {
  const span = compilation.origins.get(`jwt[${index}]`);
  return span !== undefined && sharesLine(places.range(span), range);
};

/** Returns the end of a part's text: after its closing quote, or at the end of its last line. */
const endOf = ({ origins }: Compilation, { path }: PreviewStep): number | undefined => {
  const names = ['expression', 'valueExpression', 'requiredValue', 'claim'];
  const spans = names.map((name) => origins.get(`${path}.${name}`));
  return spans.find((span) => span !== undefined)?.end;
};

const labelOf = (
  compilation: Compilation,
  step: PreviewStep,
  { claims }: Sample,
): string | undefined => {
  const { outcome } = step;
  switch (outcome.kind) {
    case 'value':
      return `→ ${valueText(outcome.value)}`;
    case 'passed':
      return '→ true';
    case 'failed':
      return `✗ ${failureText(compilation, step, claims)}`;
    case 'unknown':
      return undefined;
  }
};

/**
 * Shortens a label: drops the redundant `false`, then cuts a quoted string in the middle and
 * anything else at the end.
 */
const shortened = (label: string, maxLength: number): string => {
  if ([...oneLine(label, maxLength + 1)].length <= maxLength) return oneLine(label, maxLength);
  const point = label.replace(/^✗ false: /, '✗ ');
  return point.endsWith('"') ? bothEnds(point, maxLength) : oneLine(point, maxLength);
};

const valueText = (value: string | readonly string[]): string => {
  if (typeof value === 'string') return displayJson(value);
  return value.length === 0 ? '[]' : `[${value.length}] ${value.join(', ')}`;
};

export const inlayHint: Feature = {
  capabilities: { inlayHintProvider: { resolveProvider: false } },
  register(connection, handlers) {
    connection.languages.inlayHint.on(
      handlers.forEachConfiguration((context, params: InlayHintParams) => [
        ...inlayHintsOf(context, params),
        ...authorityHints(context, params),
      ]),
    );
  },
};
