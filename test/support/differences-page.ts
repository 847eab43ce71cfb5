/** The page about deliberate differences, made from the table that the code reads. */
import { differences } from '../../engine/src/model/differences.ts';

const opening = `# Deliberate differences from the real API server

AuthGraph decides as the real API server does, with the exceptions on this page. Each is stricter, and
only where no honest issuer or client can notice. The recorded cases run in *exact* mode too, in
which all of them are off.

This page is made from \`engine/src/model/differences.ts\`, which the code reads too.
`;

/** Markdown, one section a row. */
export const differencesPage = (): string =>
  [
    opening,
    ...differences.map(({ id, title, reason }) => `## ${title}\n\n\`${id}\`\n\n${reason}\n`),
  ].join('\n');
