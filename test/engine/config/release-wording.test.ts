/** Validation errors of older releases, with messages recorded from their code. */
import { expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { defaultSettings } from '../../../engine/src/compile/settings.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

const configuration = `apiVersion: apiserver.config.k8s.io/v1beta1
kind: AuthenticationConfiguration
jwt:
- issuer:
    url: https://issuer.example.com
    audiences: [a, b]
    audienceMatchPolicy: "Match>-y"
  claimMappings:
    username: { claim: sub, prefix: "" }
`;

test.each([
  [32, String.raw`Invalid value: "Match>-y"`],
  [34, String.raw`Invalid value: "Match\u003e-y"`],
] as const)(
  'release 1.%i prints a value of a named string type like Go or as JSON',
  (release, value) => {
    const { diagnostics } = compile({
      source: sourceFile('auth.yaml', configuration),
      settings: { ...defaultSettings, targetRelease: release },
    });
    expect(diagnostics.map(({ server }) => server?.message)).toContain(
      `jwt[0].issuer.audienceMatchPolicy: ${value}: audienceMatchPolicy must be MatchAny for multiple audiences`,
    );
  },
);
