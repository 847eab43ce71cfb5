/**
 * Inlay hints shown in their lines between ⟦ and ⟧, with the tooltip below if it says more; for the
 * whole file, or between two cursors.
 */
import type { InlayHint, MarkupContent } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('inlay-hint', async ({ client, uri, text, places }) => {
  const lines = text.split('\n');
  const [start, end] = places;
  const hints = await client.connection.sendRequest<readonly InlayHint[]>(
    'textDocument/inlayHint',
    {
      textDocument: { uri },
      range: {
        start: start?.position ?? { line: 0, character: 0 },
        end: end?.position ?? { line: lines.length, character: 0 },
      },
    },
  );
  return hints
    .map(({ position, label, tooltip, paddingLeft }) => {
      const line = (lines[position.line] ?? '').replaceAll('\r', '␍');
      const shown = `${paddingLeft ? '' : '!'}⟦${String(label)}⟧`;
      const whole = textOf(tooltip);
      const own = `${line.slice(0, position.character)}${shown}${line.slice(position.character)}`;
      return `${position.line + 1}: ${own.trim()}${whole.endsWith(`: ${String(label)}`) ? '' : `\n    ${whole}`}`;
    })
    .join('\n');
});

const textOf = (tooltip: string | MarkupContent | undefined): string => {
  if (tooltip === undefined) return '(no tooltip)';
  if (typeof tooltip === 'string') return `(text) ${tooltip}`;
  return tooltip.kind === 'plaintext' ? tooltip.value : `(markdown) ${tooltip.value}`;
};
