/** Inlay hints: what each mapping and rule evaluates to for the current sample. */
import {
  bothEnds,
  type Compilation,
  displayJson,
  type EntryPreview,
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
import type { Feature, PartContext } from './feature.ts';
import { type SampleVerdict, verdictOn } from './sample-verdict.ts';

/**
 * Returns hints for the mappings and rules that end in the range; none without a current sample or
 * while a long document is analyzed, after which the client is asked to refresh.
 */
const inlayHintsOf = (
  { workspace, part }: PartContext,
  { range }: Pick<InlayHintParams, 'range'>,
): readonly InlayHint[] => {
  const { enabled, maxLength, rules } = workspace.options.inlayHints;
  const { chosen } = workspace.samples;
  if (!enabled || chosen === undefined) return [];
  const { compilation, places } = part;
  const verdict = verdictOn(part, chosen, workspace.now());
  const entries = verdict.entries.filter((entry) => meets(compilation, entry, { range, part }));
  const labels = [
    ...entries.flatMap(({ parts }) =>
      parts.flatMap((step) => {
        if (step.outcome.kind === 'passed' && rules === 'failed') return [];
        return [{ end: endOf(compilation, step), label: labelOf(compilation, step, chosen) }];
      }),
    ),
    ...tokenLabels(compilation, verdict),
  ];
  const hints = labels.flatMap(({ end, label }) => {
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
          value: `${oneLine(chosen.name)}: ${oneLine(label, tooltipLength)}`,
        },
      } satisfies InlayHint,
    ];
  });
  return hints.toSorted((a, b) => comparePositions(a.position, b.position));
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
  { origins }: Compilation,
  { path }: EntryPreview,
  { range, part }: { readonly range: Range; readonly part: PartContext['part'] },
): boolean => {
  const span = origins.get(path);
  return span !== undefined && sharesLine(part.places.range(span), range);
};

/** Returns the end of a part's text: after its closing quote, or at the end of its last line. */
const endOf = ({ origins }: Compilation, { path }: PreviewStep): number | undefined => {
  const names = ['expression', 'valueExpression', 'requiredValue', 'claim'];
  const spans = names.map((name) => origins.get(`${path}.${name}`));
  return spans.find((span) => span !== undefined)?.end;
};

const labelOf = (
  compilation: Compilation,
  part: PreviewStep,
  { claims }: Sample,
): string | undefined => {
  const { outcome } = part;
  switch (outcome.kind) {
    case 'value':
      return `→ ${valueText(outcome.value)}`;
    case 'passed':
      return '→ true';
    case 'failed':
      return `✗ ${failureText(compilation, part, claims)}`;
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
      handlers.forEachConfiguration((context, params: InlayHintParams) =>
        inlayHintsOf(context, params),
      ),
    );
  },
};
