/** Inlay hints next to certificate authorities of which a certificate expires soon. */
import { authorityCertificates, type LocatedString, oneLine } from '@authgraph/engine/language';
import { type InlayHint, InlayHintKind, type InlayHintParams } from 'vscode-languageserver';
import { verdictSigns } from '../protocol.ts';
import { touchesPosition } from '../to-protocol.ts';
import type { PartContext } from './feature.ts';

export const authorityHints = (
  { workspace, part: { compilation, places } }: PartContext,
  { range }: Pick<InlayHintParams, 'range'>,
): readonly InlayHint[] => {
  if (!workspace.options.inlayHints.enabled) return [];
  const { text } = compilation.document.source;
  return (compilation.configuration?.jwt ?? []).flatMap(({ issuer: { certificateAuthority } }) => {
    if (certificateAuthority === undefined) return [];
    const offset = hintOffset(text, certificateAuthority);
    const position = places.range({ start: offset, end: offset }).start;
    if (!touchesPosition(range, position)) return [];
    const soon = authorityCertificates(certificateAuthority, workspace.now()).filter(
      ({ expiresSoon }) => expiresSoon,
    );
    const [first] = soon.toSorted((a, b) => (a.lastDay < b.lastDay ? -1 : 1));
    if (first === undefined) return [];
    return [
      {
        position,
        label: `${verdictSigns.acceptedWithNote} ${first.status}`,
        kind: InlayHintKind.Type,
        paddingLeft: true,
        paddingRight: true,
        // Names in certificates are untrusted, so the tooltip is plain text.
        tooltip: {
          kind: 'plaintext',
          value: soon
            .slice(0, maxCertificates)
            .map(({ title, lastDay }) => `${oneLine(title)} expires on ${lastDay}`)
            .join('\n'),
        },
      },
    ];
  });
};

/** Number of certificates in a tooltip. */
const maxCertificates = 12;

/** Returns the end of the first line of a block scalar, or the start of any other value. */
const hintOffset = (text: string, { span }: LocatedString): number => {
  if (!/[|>]/.test(text[span.start] ?? '')) return span.start;
  const length = text.slice(span.start, span.end).search(/[\r\n]/);
  return length < 0 ? span.start : span.start + length;
};
