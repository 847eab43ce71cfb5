/** docs/releases.md: what each release of the API server brought, from the tables of the code. */
import { sinceOf } from '../../engine/src/cel/environment.ts';
import { libraries } from '../../engine/src/cel/functions/registry.ts';
import { macroSignatures } from '../../engine/src/cel/macros.ts';
import { featureGates, gateState } from '../../engine/src/model/feature-gates.ts';
import {
  configurationFeatures,
  newestRelease,
  oldestRelease,
  parseRelease,
  type Release,
  releaseName,
} from '../../engine/src/model/release.ts';

const allReleases = Array.from(
  { length: newestRelease - oldestRelease + 1 },
  (_, index) => parseRelease(`1.${oldestRelease + index}`) ?? newestRelease,
);

const opening = `# Releases

\`--target-version ${releaseName(oldestRelease)}\` to \`${releaseName(newestRelease)}\` says which release of the API server will read the file (default: the
newest). \`check\`, \`whoami\`, \`compile\` and \`serve\` then behave as that release, as far as this page goes:

- A field or version that the release lacks is a warning of \`check\`: [AG4006](diagnostics/release-lacks.md).
- A function, overload or macro that it lacks is the release's own error: an undeclared reference
  ([AG2001](diagnostics/expression-error.md)).
- Feature gates have the defaults, locks and effects of that release. Releases without the gate
  TokenRequestServiceAccountUIDValidation neither read nor tell the UID of a TokenRequest.
- \`--runtime-config\` adds v1beta1 of SelfSubjectReview up to 1.32.
- Up to 1.35 an internal error of an expression carries no value; from 1.37 on a field may be written
  in backticks (\`\` claims.\`a-b\` \`\`), and types in messages show no parameters of their own.

Answers were recorded from 1.34 to 1.37; what is said of older releases comes from their
documentation and the library tables of their code.

Not followed, because the decision is the same or stricter in the newest release: up to 1.35 the
signature of a token is checked last, so that another error may be told first; up to 1.34, and where
StructuredAuthenticationConfigurationJWKSMetrics is off, an issuer without \`jwks_uri\` counts as
ready; before 1.37 \`lists.range\` takes any size and gives an empty list
for a negative one, \`duration(int)\` fails only when the expression is loaded, and \`orValue()\` gives a
value that is no optional as it is ([AG4019](diagnostics/plain-or-value.md)).

This page is made from \`engine/src/model/release.ts\`, \`engine/src/model/feature-gates.ts\` and
\`engine/src/cel/functions/\` by \`npm run -s docs\`.
`;

/** Markdown: configuration, functions, macros, gates. */
export const releasesPage = (): string =>
  [
    opening,
    section('The configuration file', '| since | what | an older release | known from |', [
      ...configurationFeatures.map(
        ({ feature, since, before, evidence }) =>
          `| ${releaseName(since)} | ${feature} | ${before} | ${evidence === 'measured' ? 'recorded answers' : 'its documentation'} |`,
      ),
    ]),
    section(
      'Functions',
      '| since | library | functions |',
      libraries.map(
        ({ name, since, functions }) =>
          `| ${ageOf(since)} | ${name} | ${namesOf(functions.map(({ name: given }) => given))} |`,
      ),
    ),
    section('Overloads younger than their library', '| since | function | overload |', [
      ...libraries.flatMap(({ functions, since: library }) =>
        functions.flatMap(({ name, overloads }) =>
          overloads.flatMap(({ id, since }) =>
            since === undefined || since <= library
              ? []
              : [`| ${releaseName(since)} | ${namesOf([name])} | \`${id}\` |`],
          ),
        ),
      ),
    ]),
    section('Macros', '| since | macros (with the number of their arguments) |', [
      ...allReleases.flatMap((release) => {
        const fresh = macrosOf(release).filter(
          (macro) => release === oldestRelease || !macrosOf(before(release)).includes(macro),
        );
        return fresh.length === 0
          ? []
          : [`| ${ageOf(release)} | ${fresh.map((macro) => `\`${macro}\``).join(', ')} |`];
      }),
    ]),
    section(
      'Feature gates',
      `| gate | ${allReleases.map(releaseName).join(' | ')} |`,
      featureGates.map(
        (gate) =>
          `| ${gate.name} | ${allReleases.map((release) => stateText(gateState(gate, release))).join(' | ')} |`,
      ),
    ),
  ].join('\n');

const section = (title: string, head: string, rows: readonly string[]): string =>
  `## ${title}\n\n${head}\n${head.replace(/[^|]+/g, '---')}\n${rows.join('\n')}\n`;

const ageOf = (release: Release): string =>
  release === oldestRelease ? `${releaseName(release)} or older` : releaseName(release);

const before = (release: Release): Release => parseRelease(`1.${release - 1}`) ?? oldestRelease;

const macrosOf = (release: Release): readonly string[] =>
  macroSignatures(release, 'authentication').map(({ name, count }) => `${name}/${count}`);

/** Hidden names of operators and macros begin with a sign; they are no functions that one can write. */
const namesOf = (names: readonly string[]): string => {
  const written = names.filter(
    (name) => /^[a-z][\w.]*$/i.test(name) && sinceOf(name) !== undefined,
  );
  const operators = names.length - written.length;
  return [
    ...written.map((name) => `\`${name}\``),
    ...(operators === 0 ? [] : [`${operators} that operators and macros stand for`]),
  ].join(', ');
};

const stateText = ({ stage, default: on, locked }: ReturnType<typeof gateState>): string =>
  stage === 'absent' ? '' : `${stage}, ${on ? 'on' : 'off'}${locked ? ', locked' : ''}`;
