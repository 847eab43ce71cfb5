/** Generates docs/differences.md from the table that the tests use. */
import { differences } from '../../test/support/differences.ts';

const opening = `# Deliberate differences from kube-apiserver

After reading this page you know where AuthGraph decides differently from kube-apiserver, and why. Everywhere else it
decides as kube-apiserver does. Each difference is stricter, and only where no legitimate issuer or client can notice,
with these exceptions: \`library-errors\` lists what is worded differently, \`served-objects\` and \`required-flags\`
what is left out of a cluster, and \`accepted-spellings\` which flag values are accepted in addition.

*Exact* mode, in which the answers recorded from kube-apiserver are compared, disables them. Those marked
*always* apply in exact mode as well, because kube-apiserver's behavior cannot be reproduced.

This page is generated from \`test/support/differences.ts\`, which the tests use as well, with
\`npm run -s docs\`. A recorded case with another answer that no row covers fails the tests,
and every row has a case or a test.
`;

/** Returns the page, with one section per row. */
export const differencesPage = (): string => {
  const overview = differences.map(
    ({ id, title, always }) => `| [\`${id}\`](#${id}) | ${title} | ${always ? 'always' : ''} |`,
  );
  const sections = differences.map(({ id, title, upstream, ours, reason, symptom }) =>
    [
      `## ${id}`,
      `**${title}.**`,
      `- kube-apiserver: ${upstream}\n- AuthGraph: ${ours}\n- Reason: ${reason}\n- How it shows: ${symptom}.`,
    ].join('\n\n'),
  );
  return [
    opening,
    ['| Row | Difference | Exact mode |', '|---|---|---|', ...overview].join('\n'),
    '',
    ...sections.map((section) => `${section}\n`),
  ].join('\n');
};
