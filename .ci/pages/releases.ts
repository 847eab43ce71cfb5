/** Generates docs/releases.md, the changes of each Kubernetes release, from the tables of the code. */
import { firstReleaseOfName } from '../../engine/src/cel/check/release-of-name.ts';
import type { FunctionDeclaration } from '../../engine/src/cel/functions/library.ts';
import { libraries } from '../../engine/src/cel/functions/registry.ts';
import { macrosIn } from '../../engine/src/cel/syntax/macros.ts';
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

\`--target-version ${releaseName(oldestRelease)}\` to \`${releaseName(newestRelease)}\` selects the kube-apiserver release that will load the file (default: the
newest). \`check\`, \`whoami\`, \`compile\` and \`serve\` then behave like that release in these points:

- A file with a version or field that the release does not support is rejected, with the release's error
  ([AG1007](diagnostics/unknown-version.md), [AG1008](diagnostics/unknown-field.md)); its help names the release
  that introduced it.
- A function, overload or macro that it does not support is the release's own error: an undeclared reference
  ([AG2001](diagnostics/expression-error.md)).
- Feature gates have the defaults, locks and effects of that release. Releases without the gate
  TokenRequestServiceAccountUIDValidation neither validate nor report the UID of a TokenRequest.
- \`--runtime-config\` adds v1beta1 of SelfSubjectReview up to 1.32.
- Up to 1.35 an internal error of an expression carries no value, and the claims of a token are checked
  before its algorithm and signature, so that another error may be reported first.
- From 1.37 on a field may be written in backticks (\`\` claims.\`a-b\` \`\`), and names of types (\`list\`,
  \`map\`, \`optional_type\`) show other parameters in messages.

Expressions behave as in each release. Up to 1.36 that differs from 1.37 in these points:

- \`indexOf\` and \`lastIndexOf\` find an empty string at every offset.
- Arithmetic with a large quantity changes the quantity itself.
- A conditional, and the variable of a comprehension, drop nested layers of an optional.
- \`or()\` and \`orValue()\` of a value that is not optional return the value
  ([AG4019](diagnostics/missing-optional-select.md)).
- \`.x\` in a comprehension is the comprehension's variable.
- \`startsWith\` and \`endsWith\` cost by the size of the receiver, not of the argument; \`flatten\` with a
  negative depth costs less.
- In \`[].map(r, r.indexOf('a'))\`, where the type of \`r\` is open, \`indexOf\` makes it a list; from 1.37 on a
  string.
- \`lists.range\` accepts any size and returns an empty list for a negative one; \`duration(int)\` compiles and
  fails.

Up to 1.33 also:

- \`claims\` and \`user\` are ordinary maps (\`size(claims)\`, \`'sub' in claims\`), numbers in claims that are
  written as integers are ints, and names of claims are not unescaped (\`a__slash__b\`). If the entry has
  an expression over claims, a claim with a number beyond the range of a double rejects the token.
- \`lastIndexOf\` in an empty string, and up to 1.31 any search from an offset after the end, is an error.
- Up to 1.32 \`%e\` prints spaces, and \`first\`, \`last\`, \`optional.unwrap\` and \`unwrapOpt\` are missing.
- In 1.32 the second variable of a macro over a range of unknown type has no type, and the expression that
  uses it is rejected; an error in such a range becomes \`unsupported comprehension range type\`.
- Up to 1.31 the receiver of \`optMap\` is type-checked twice, which rejects receivers of an open type
  (\`optional.none()\`), and extra keys in the domains of Kubernetes are accepted.
- Up to 1.31 \`duration\`, \`timestamp\` and \`kubernetes.UserInfo\` as bare names are variables without a
  value: such an expression compiles, and fails when it reads one.
- In 1.30 format strings are not checked when an expression is compiled, \`optional_type\` is undeclared, and
  \`type()\` of an optional is \`optional\`.

Not followed for older releases:

- The messages of compile errors up to 1.32, which use another grammar; both reject the expression.
- In 1.30 error messages name the type of optionals \`optional\`; up to 1.33 errors about keys begin with
  \`square/go-jose\`, and some errors name another Go type.
- Up to 1.35 a URL whose host has several colons is accepted by kube-apiserver and rejected by AuthGraph.

Not followed: up to 1.34, and where StructuredAuthenticationConfigurationJWKSMetrics is off, an issuer
without \`jwks_uri\` counts as ready. Up to 1.36 a URL, quantity, IP, CIDR or semver in an optional that a
conditional or a comprehension's variable passes on becomes an error inside the optional; in AuthGraph
the expression fails with that error. Both are stricter.

Answers were recorded from every release, and \`npm run fuzz\` compares expressions, configurations and
tokens with the code of each.

This page is generated from \`engine/src/model/release.ts\`, \`engine/src/model/feature-gates.ts\` and
\`engine/src/cel/functions/\` by \`npm run -s docs\`.
`;

/** Returns the page as Markdown: configuration, functions, macros, feature gates. */
export const releasesPage = (): string =>
  [
    opening,
    section('The configuration file', '| since | what | an older release |', [
      ...configurationFeatures.map(
        ({ feature, since, before }) => `| ${releaseName(since)} | ${feature} | ${before} |`,
      ),
    ]),
    section(
      'Functions',
      '| since | library | functions |',
      libraries.map(
        ({ name, since, functions }) =>
          `| ${ageOf(since)} | ${name} | ${namesOf([...new Set(functions.map((declared) => declared.name))])} |`,
      ),
    ),
    section('Overloads younger than their library', '| since | function | overload |', [
      ...libraries.flatMap(({ functions, since: library }) =>
        functions.flatMap(({ name, overloads }) =>
          overloads.flatMap(({ id, since }) =>
            since === undefined || since <= library || replaces({ id, since }, functions)
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

/** Whether an older release has an overload of the same id, with another body. */
const replaces = (
  { id, since }: { readonly id: string; readonly since: Release },
  functions: readonly FunctionDeclaration[],
): boolean =>
  functions.some(({ overloads }) =>
    overloads.some((other) => other.id === id && other.until !== undefined && other.until < since),
  );

const ageOf = (release: Release): string =>
  release === oldestRelease ? `${releaseName(release)} or older` : releaseName(release);

const before = (release: Release): Release => parseRelease(`1.${release - 1}`) ?? oldestRelease;

const macrosOf = (release: Release): readonly string[] =>
  macrosIn(release).map(({ name, argCount }) => `${name}/${argCount}`);

/** Internal names of operators and macros begin with a symbol; users cannot call them. */
const namesOf = (names: readonly string[]): string => {
  const written = names.filter(
    (name) => /^[a-z][\w.]*$/i.test(name) && firstReleaseOfName(name) !== undefined,
  );
  const operators = names.length - written.length;
  return [
    ...written.map((name) => `\`${name}\``),
    ...(operators === 0 ? [] : [`${operators} that operators and macros stand for`]),
  ].join(', ');
};

const stateText = ({ stage, default: on, locked }: ReturnType<typeof gateState>): string =>
  stage === 'absent' ? '' : `${stage}, ${on ? 'on' : 'off'}${locked ? ', locked' : ''}`;
