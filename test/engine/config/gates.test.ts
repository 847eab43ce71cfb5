/** What the configuration may contain, by release and feature gate. */
import { expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { settingsFor } from '../../../engine/src/compile/settings.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { readGates } from '../../../engine/src/model/feature-gates.ts';
import type { Release } from '../../../engine/src/model/release.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

const anonymous = `apiVersion: apiserver.config.k8s.io/v1beta1
kind: AuthenticationConfiguration
anonymous: {enabled: true, conditions: [{path: /livez}]}
`;
const off =
  'anonymous: Forbidden: anonymous is not supported when AnonymousAuthConfigurableEnpoints feature gate is disabled';
const gate = 'AnonymousAuthConfigurableEndpoints';

test.each<[Release, readonly string[], readonly string[]]>([
  [31, [], [off]],
  [31, [`${gate}=true`], []],
  [32, [], []],
  [32, [`${gate}=false`], [off]],
  [33, ['AllBeta=false'], [off]],
  [34, [], []],
  [37, [], []],
])('the anonymous section at 1.%i with %j', (release, values, wanted) => {
  const settings = {
    ...settingsFor(release),
    apiDomain: 'k8s.io',
    featureGates: readGates(values, release).gates,
  };
  const compilation = compile({ source: sourceFile('a.yaml', anonymous), settings });
  const found = [...compilation.diagnostics, ...lint(compilation)].filter(
    // The text has a version that every release reads.
    ({ code }) => code !== 'AG4035',
  );
  expect(found.map(({ server, code }) => server?.message ?? code)).toEqual(wanted);
});
