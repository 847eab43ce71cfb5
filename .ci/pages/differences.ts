/** docs/differences.md, made from the table that the code reads. */
import { differences } from '../../engine/src/model/differences.ts';

const opening = `# Deliberate differences from the real API server

AuthGraph decides as kube-apiserver does, with the exceptions on this page. Each is stricter, and only where
no honest issuer or client can notice, except for these: \`library-errors\` lists what is worded differently,
\`served-objects\` and \`required-flags\` what is left out of a cluster, and \`accepted-spellings\` which flag values
are accepted in addition.

*Exact* mode, in which recorded answers of the real server are compared, turns them off; those marked
*always* stay, because without them no answer would come.

This page is made from \`engine/src/model/differences.ts\`, which the code reads too, by
\`npm run -s docs\`. A recorded case that is answered otherwise and that no row covers fails the tests,
and every row has a case or a test that shows it.
`;

/** Markdown, one section a row. */
export const differencesPage = (): string => {
  const overview = differences.map(
    ({ id, title, always }) => `| [\`${id}\`](#${id}) | ${title} | ${always ? 'always' : ''} |`,
  );
  const sections = differences.map(({ id, title, upstream: real, ours, reason, symptom: shows }) =>
    [
      `## ${id}`,
      `**${title}.**`,
      `- The real server: ${real}\n- AuthGraph: ${ours}\n- Why: ${reason}\n- How it shows: ${shows}.`,
    ].join('\n\n'),
  );
  return [
    opening,
    ['| row | what | exact mode |', '|---|---|---|', ...overview].join('\n'),
    '',
    ...sections.map((section) => `${section}\n`),
  ].join('\n');
};
