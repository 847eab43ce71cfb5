/** docs/diagnostics/README.md, made from the catalogue of codes. */
import { catalog } from '../../engine/src/catalog.ts';

const opening = `# Diagnostics

Everything that AuthGraph says about a file or a refused token has a code, a name and a page.
\`authgraph explain CODE\` says the same in a terminal. The examples of the pages run as tests.

- *server*: the real API server refuses it too, in the same words
- *lint*: the real server accepts it, and our advice is not to write it
- *limit*: a limit of AuthGraph; see [limits](../limits.md)

This page is made from the catalogue by \`npm run -s docs\`.
`;

const groups: ReadonlyMap<string, string> = new Map([
  ['AG1', 'The configuration file'],
  ['AG2', 'Expressions'],
  ['AG3', 'Flags and modules'],
  ['AG4', 'Advice'],
  ['AG5', 'Refused tokens, and a server at work'],
]);

/** Codes that no file has: neither a severity nor a source says anything of them. */
const atRequestTime = 'AG5';

const headOf = (prefix: string): readonly string[] =>
  prefix === atRequestTime
    ? ['| code | name | in a sentence |', '|---|---|---|']
    : ['| code | name | severity | who says so | in a sentence |', '|---|---|---|---|---|'];

/** Markdown, one table a group of codes. */
export const diagnosticsPage = (): string =>
  [
    opening,
    ...[...groups].map(([prefix, title]) =>
      [
        `## ${title}\n`,
        ...headOf(prefix),
        ...catalog
          .filter(({ code }) => code.startsWith(prefix))
          .map(
            ({ code, name, severity, source, summary }) =>
              `| ${code} | [${name}](${name}.md) | ${prefix === atRequestTime ? '' : `${severity} | ${source} | `}${summary.replaceAll('|', '\\|')} |`,
          ),
        '',
      ].join('\n'),
    ),
  ].join('\n');
