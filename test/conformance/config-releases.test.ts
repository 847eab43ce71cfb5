/** Configurations whose recorded results differ between releases, and some that do not. */
import { describe, expect, test } from 'vitest';
import { compile } from '../../engine/src/compile/compile.ts';
import { settingsFor } from '../../engine/src/compile/settings.ts';
import { lint } from '../../engine/src/lints/lint.ts';
import { kubernetesDomain } from '../../engine/src/model/api-domain.ts';
import { sourceFile } from '../../engine/src/source/source-file.ts';
import { answersByRelease } from '../support/answers-by-release.ts';

interface Input {
  readonly config: string;
}

const recorded = answersByRelease<Input, { readonly ok: boolean }>(
  'conformance/config-releases.jsonl',
);

describe('decodes and validates a configuration like each release', () => {
  test.each(recorded)('$id at $releaseName: $shows', ({ input, release, expected }) => {
    const source = sourceFile('configuration.yaml', input.config);
    const exact = compile({ source, settings: { ...settingsFor(release), exact: true } });
    expect(exact.report).toEqual(expected);
    // `check` with the API domain of kube-apiserver rejects whatever the release rejects.
    const product = compile({
      source,
      settings: { ...settingsFor(release), fileDomain: kubernetesDomain },
    });
    if (!expected.ok) expect(product.graph).toBeUndefined();
    // Lints and fixes must not fail for a field or version that the release lacks.
    expect(() => lint(product)).not.toThrow();
  });
});
