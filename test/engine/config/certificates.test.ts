/** Damaged certificates, and kube-apiserver's errors for them. */
import { expect, test } from 'vitest';
import { cases } from '../../support/cases.ts';
import { compileText } from '../../support/compile-text.ts';

interface Input {
  readonly certificateAuthority: string;
}

const configuration = (certificateAuthority: string): string =>
  JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    jwt: [
      {
        issuer: { url: 'https://a.example', audiences: ['a'], certificateAuthority },
        claimMappings: { username: { claim: 'sub', prefix: '' } },
      },
    ],
  });

test.each(cases<Input>('engine/config/certificates.jsonl'))('$shows', ({ input, expected }) => {
  const { report } = compileText(configuration(input.certificateAuthority));
  const [error] = report.errors;
  expect(error === undefined ? { ok: true } : { ok: false, detail: error.detail }).toEqual(
    expected,
  );
});
