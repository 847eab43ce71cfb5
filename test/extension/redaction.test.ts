/** Replacements proposed before a sample is saved. */
import { expect, test } from 'vitest';
import {
  applyReplacements,
  proposedReplacements,
} from '../../extension/src/identities/redaction.ts';

const redacted = (claims: string): string =>
  applyReplacements(claims, proposedReplacements(claims));

test.each([
  ['one address', '{"email": "jane@corp.com"}', '{"email": "person1@example.com"}'],
  [
    'equal addresses get equal replacements',
    '{"email": "jane@corp.com", "upn": "jane@corp.com"}',
    '{"email": "person1@example.com", "upn": "person1@example.com"}',
  ],
  [
    'different people and domains stay distinct',
    '{"a": "jane@corp.com", "b": "joe@corp.com", "c": "joe@else.org"}',
    '{"a": "person1@example.com", "b": "person2@example.com", "c": "person2@example.org"}',
  ],
  [
    'a domain that is the whole value',
    '{"email": "jane@corp.com", "hd": "corp.com", "iss": "https://login.corp.com/"}',
    '{"email": "person1@example.com", "hd": "example.com", "iss": "https://login.corp.com/"}',
  ],
  [
    'an address inside a string',
    '{"name": "Jane <jane@corp.com>"}',
    '{"name": "Jane <person1@example.com>"}',
  ],
  ['an address as a member name', '{"jane@corp.com": true}', '{"person1@example.com": true}'],
  [
    'a token in a claim',
    '{"t": "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl"}',
    '{"t": "token-left-out"}',
  ],
  [
    'a hostname with long labels',
    '{"iss": "https://keycloak.engineering.examplecorp.com/"}',
    '{"iss": "https://keycloak.engineering.examplecorp.com/"}',
  ],
  [
    'addresses of reserved domains',
    '{"email": "jane@example.com"}',
    '{"email": "jane@example.com"}',
  ],
  ['numbers keep their spelling', '{"n": 12345678901234567890}', '{"n": 12345678901234567890}'],
])('%s', (_, before, after) => {
  expect(redacted(before)).toBe(after);
});

test('keeps what the user deselects', () => {
  const claims = '{"email": "jane@corp.com", "hd": "corp.com"}';
  const selected = proposedReplacements(claims).filter(({ kind }) => kind !== 'domain');
  expect(applyReplacements(claims, selected)).toBe(
    '{"email": "person1@example.com", "hd": "corp.com"}',
  );
});

test('reports the kind of each replacement', () => {
  expect(proposedReplacements('{"email": "jane@corp.com", "hd": "corp.com"}')).toEqual([
    { kind: 'address', before: 'jane@corp.com', after: 'person1@example.com' },
    { kind: 'domain', before: 'corp.com', after: 'example.com' },
  ]);
});
