/** Pulled diagnostics: range, level, code, tags, message, and related information. */

import {
  type Diagnostic,
  DiagnosticTag,
  type MarkupContent,
  type Range,
} from 'vscode-languageserver';
import { workspaceUri } from '../support/language-client.ts';
import { runFixtures } from '../support/language-fixtures.ts';

const textOf = (message: string | MarkupContent): string =>
  typeof message === 'string' ? message : message.value;

const levels = ['', 'error', 'warning', 'information', 'hint'];

runFixtures('diagnostics', async ({ client, uri, fixture: { asked } }) => {
  const { items } = await client.connection.sendRequest<{ items: readonly Diagnostic[] }>(
    'textDocument/diagnostic',
    { textDocument: { uri: asked === '' ? uri : `${workspaceUri}/${asked}` } },
  );
  return items.map(printed).join('\n');
});

const printed = ({
  range,
  severity,
  code,
  message,
  tags = [],
  relatedInformation = [],
}: Diagnostic): string =>
  [
    [
      rangeText(range),
      levels[severity ?? 0],
      code ?? 'no code',
      ...tags.map((tag) => (tag === DiagnosticTag.Unnecessary ? '(unnecessary)' : `(tag ${tag})`)),
      textOf(message).replaceAll('\n', '\n    '),
    ].join(' '),
    ...relatedInformation.map(
      ({ location, message: said }) => `  ${rangeText(location.range)} ${said}`,
    ),
  ].join('\n');

const rangeText = ({ start, end }: Range): string =>
  `${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`;
