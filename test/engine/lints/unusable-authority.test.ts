/** Certificate authorities that cannot verify an issuer, and anonymous paths that match no request. */
import { expect, test } from 'vitest';
import { compile } from '../../../engine/src/compile/compile.ts';
import { lint } from '../../../engine/src/lints/lint.ts';
import { connectionAdvice } from '../../../engine/src/simulate/doctor/connection-advice.ts';
import { sourceFile } from '../../../engine/src/source/source-file.ts';
import { applyEdits } from '../../../engine/src/source/text-edit.ts';
import { makeCert } from '../../attacks/lib/der.mjs';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\n';
const reportsIn = (text: string, now?: number) =>
  lint(compile({ source: sourceFile('file.yaml', text) }), now).filter(({ code }) =>
    ['AG4022', 'AG4023'].includes(code),
  );

const withAuthority = (pem: string): string => `${head}jwt:
- issuer:
    url: https://issuer.example.com
    audiences: [app]
    certificateAuthority: ${JSON.stringify(pem)}
  claimMappings:
    username: {claim: sub, prefix: 'p:'}
`;
const messages = (pem: string, now?: number): readonly string[] =>
  reportsIn(withAuthority(pem), now).map(({ message }) => message);

const authority = makeCert({ subject: [['CN', 'root']], ca: true });
const flagless = makeCert({ subject: [['CN', 'flagless']], ca: false });
const leaf = makeCert({ subject: [['CN', 'server']], eku: ['serverAuth'] }, authority);
const expired = makeCert({ subject: [['CN', 'old']], ca: true, notBefore: -7200, notAfter: -3600 });
const withoutCertSign = makeCert({
  subject: [['CN', 'quiet']],
  ca: true,
  ku: ['digitalSignature'],
});

test('a good authority is not reported', () => {
  expect(messages(authority.pem, Date.now())).toEqual([]);
});

test.each([
  ['no CA flag', flagless.pem, /"flagless" .* has no CA flag/],
  ['a leaf', leaf.pem, /"server" .* is the certificate of a server or client/],
  ['no keyCertSign', withoutCertSign.pem, /"quiet" .* its key usage lacks keyCertSign/],
  ['expired', expired.pem, /"old" .* expired at \d{4}-/],
  ['one of two', authority.pem + leaf.pem, /"server"/],
])('%s is reported', (_, pem, message) => {
  expect(messages(pem, Date.now())).toEqual([expect.stringMatching(message)]);
});

test('checks the validity only if the time is given', () => {
  expect(messages(expired.pem)).toEqual([]);
  expect(messages(expired.pem, Date.now() - 5_000_000)).toEqual([]);
  expect(messages(authority.pem, Date.now() - 86_400_000)).toEqual([
    expect.stringContaining('is not valid before'),
  ]);
});

test('does not report a malformed bundle, which is an error already', () => {
  expect(messages('x', Date.now())).toEqual([]);
});

test.each(['x509: certificate specifies an incompatible key usage', 'invalid CA certificate'])(
  'the doctor attributes %s to the authority',
  (error) => {
    expect(connectionAdvice(`tls: failed to verify certificate: ${error}`)).toContain('CA flag');
  },
);

const withPath = (path: string): string =>
  `${head}anonymous:\n  enabled: true\n  conditions:\n  - path: ${path}\n`;

test.each(['livez', "'readyz'", '/livez*', '/livez?verbose', '""'])(
  'path %s is reported',
  (path) => {
    expect(reportsIn(withPath(path)).map(({ code }) => code)).toEqual(['AG4023']);
  },
);

test.each(['/livez', '/', '/livez/ping'])('path %s is not reported', (path) => {
  expect(reportsIn(withPath(path))).toEqual([]);
});

test.each(['livez', "'readyz'"])('the fix of path %s adds the slash', (path) => {
  const text = withPath(path);
  const [fix] = reportsIn(text).flatMap(({ fixes }) => fixes);
  expect(fix?.changesAccess).toBe(true);
  expect(reportsIn(applyEdits(text, fix?.edits ?? []))).toEqual([]);
});
