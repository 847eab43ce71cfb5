/** Generates docs/diagnostics/README.md from the catalog of codes. */
import { catalog } from '../../engine/src/catalog.ts';

const opening = `# Diagnostics

Look up any problem that AuthGraph reports, in a file or with a rejected token, by its code or name.
\`authgraph explain CODE\` prints the same page in a terminal. The examples on the pages run as tests.

- *server*: kube-apiserver rejects it too, with the same message
- *lint*: kube-apiserver accepts it, but you should not write it
- *limit*: a limit of AuthGraph; see [limits](../limits.md)
- *settings*: a mistake in a [settings file](../settings.md)

This page is generated from the catalog by \`npm run -s docs\`.
`;

const groups: ReadonlyMap<string, string> = new Map([
  ['AG1', 'The configuration file'],
  ['AG2', 'Expressions'],
  ['AG3', 'Flags, modules and settings files'],
  ['AG4', 'Advice'],
  ['AG5', 'Rejected tokens and the running server'],
]);

/** The prefix of codes that occur at request time and so have no severity and no source. */
const atRequestTime = 'AG5';

const headOf = (prefix: string): readonly string[] =>
  prefix === atRequestTime
    ? ['| code | name | summary |', '|---|---|---|']
    : ['| code | name | severity | source | summary |', '|---|---|---|---|---|'];

/** Returns the page as Markdown, one table per group of codes. */
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
