/** Generates docs/lints.md from the registry of the lints. */
import { lints } from '../../engine/src/lints/registry.ts';

const opening = `# Lints

After reading this page you can choose which advice \`authgraph check\` and the editor report, how severe it is, and where it
does not apply.

A lint reports what kube-apiserver loads without complaint although it is probably wrong: a group mapping that can lead to
\`system:masters\`, a claim that some tokens lack, a rule that can never hold. Errors of kube-apiserver are not lints: they can
neither be lowered nor suppressed.

\`\`\`
authgraph check --fail-on warning docs/examples/proposed.yaml
\`\`\`

## Change the level of a lint

Levels are \`off\`, \`hint\`, \`information\`, \`warning\` and \`error\`. Set them in \`.authgraph.yaml\` in the root of the repository, by
code or by name; \`*\` is the level of all others:

\`\`\`yaml
# .authgraph.yaml
lints:
  system-groups: error
  AG4012: warning
  distributed-groups: off
\`\`\`

An \`error\` makes \`check\` exit with 1. \`--fail-on warning\` does so for warnings, too, which is the recommended setting
[in CI](ci.md).

## Suppress a lint at one place

A suppression needs a reason, and can expire:

\`\`\`yaml
# .authgraph.yaml
suppressions:
- code: AG4010
  files: clusters/legacy/*.yaml
  path: jwt[0]
  reason: only the platform team can write to this issuer
  expires: 2027-06-30
\`\`\`

\`check\` prints how many diagnostics were suppressed. A suppression that has expired, or that nothing needs any more, is reported
itself ([AG3106](diagnostics/expired-suppression.md), [AG3105](diagnostics/unused-suppression.md)). [Settings](settings.md) describes
every field, and which settings file applies to a configuration.

## All lints

\`authgraph explain CODE\` prints the page of a lint, with an example before and after. This table is generated from
\`engine/src/lints/registry.ts\` by \`npm run -s docs\`.

| code | name | level | reports |
|---|---|---|---|
`;

/** Returns the page as Markdown. */
export const lintsPage = (): string =>
  opening +
  lints
    .map(({ description }) => description)
    .map(
      ({ code, name, severity, summary }) =>
        `| ${code} | [${name}](diagnostics/${name}.md) | ${severity} | ${summary.replaceAll('|', '\\|')} |\n`,
    )
    .join('');
