/** Signature help: the overloads, the active one, and the current parameter. */
import type { SignatureHelp } from 'vscode-languageserver';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('signature-help', async ({ client, places }) => {
  const answers: string[] = [];
  for (const place of places) {
    const found = await client.connection.sendRequest<SignatureHelp | null>(
      'textDocument/signatureHelp',
      place,
    );
    answers.push(found === null ? 'nothing' : shown(found));
  }
  return answers.join('\n=====\n');
});

const shown = ({ signatures, activeSignature, activeParameter }: SignatureHelp): string =>
  signatures
    .flatMap(({ label, documentation, parameters = [] }, index) => {
      const isActive = index === activeSignature;
      const place = parameters[activeParameter ?? 0]?.label;
      const [start, end] = isActive && Array.isArray(place) ? place : [0, 0];
      const marked =
        end === 0
          ? label
          : `${label.slice(0, start)}«${label.slice(start, end)}»${label.slice(end)}`;
      const words = typeof documentation === 'object' ? documentation.value : '';
      return [`${isActive ? '>' : ' '} ${marked}`, ...(isActive ? [`  ${words}`] : [])];
    })
    .join('\n');
