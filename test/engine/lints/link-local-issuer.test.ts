/** The lint for issuer URLs and discovery URLs with link-local addresses. */
import { expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';

const textsReportedIn = (url: string, discoveryUrl: string): readonly string[] => {
  const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AuthenticationConfiguration
jwt:
- issuer: {url: ${JSON.stringify(url)}, discoveryURL: ${JSON.stringify(discoveryUrl)}, audiences: [app]}
  claimMappings:
    username: {claim: sub, prefix: 'p:'}
`;
  const diagnostics = lint(compile({ source: sourceFile('file.yaml', text) }));
  return diagnostics
    .filter(({ code }) => code === 'AG4021')
    .map(({ span }) => text.slice(span.start, span.end));
};

const good = 'https://issuer.example.com';

test.each([
  'https://169.254.169.254/latest',
  'https://169.254.0.1',
  'https://user@169.254.169.254:8443/x',
  'HTTPS://[FE80::1]/x',
  'https://[febf:0::1]:1',
  'https://[fd00:ec2::254]',
  'https://Metadata.Google.Internal/x',
])('%s is reported', (url) => {
  expect(textsReportedIn(good, url)).toEqual([JSON.stringify(url)]);
  expect(textsReportedIn(url, good)).toEqual([JSON.stringify(url)]);
});

test.each([
  'https://127.0.0.1:8443',
  'https://10.0.0.1',
  'https://169.254.example.com',
  'https://169.253.1.1',
  'https://[fd00::1]',
  'https://[fec0::1]',
  'https://example.com/169.254.169.254',
  'https://metadata.google.internal.example.com',
])('%s is not reported', (url) => {
  expect(textsReportedIn(good, url)).toEqual([]);
});
