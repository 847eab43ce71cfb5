/** What is proposed before a sample is saved. */
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
    'the same address becomes the same everywhere',
    '{"email": "jane@corp.com", "upn": "jane@corp.com"}',
    '{"email": "person1@example.com", "upn": "person1@example.com"}',
  ],
  [
    'other people and other domains stay apart',
    '{"a": "jane@corp.com", "b": "joe@corp.com", "c": "joe@else.org"}',
    '{"a": "person1@example.com", "b": "person2@example.com", "c": "person2@example.org"}',
  ],
  [
    'the domain alone, where it is the whole value',
    '{"email": "jane@corp.com", "hd": "corp.com", "iss": "https://login.corp.com/"}',
    '{"email": "person1@example.com", "hd": "example.com", "iss": "https://login.corp.com/"}',
  ],
  [
    'an address inside of a text',
    '{"name": "Jane <jane@corp.com>"}',
    '{"name": "Jane <person1@example.com>"}',
  ],
  ['an address as a name of a member', '{"jane@corp.com": true}', '{"person1@example.com": true}'],
  [
    'a token in a claim',
    '{"t": "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJqYW5lIn0.c2lnbmF0dXJl"}',
    '{"t": "token-left-out"}',
  ],
  [
    'the name of a host, however long its labels are',
    '{"iss": "https://keycloak.engineering.examplecorp.com/"}',
    '{"iss": "https://keycloak.engineering.examplecorp.com/"}',
  ],
  ['addresses that are nobody’s', '{"email": "jane@example.com"}', '{"email": "jane@example.com"}'],
  ['numbers as they are spelt', '{"n": 12345678901234567890}', '{"n": 12345678901234567890}'],
])('%s', (_, before, after) => {
  expect(redacted(before)).toBe(after);
});

test('what the user unchecks stays', () => {
  const claims = '{"email": "jane@corp.com", "hd": "corp.com"}';
  const selected = proposedReplacements(claims).filter(({ kind }) => kind !== 'domain');
  expect(applyReplacements(claims, selected)).toBe(
    '{"email": "person1@example.com", "hd": "corp.com"}',
  );
});

test('each replacement says what it is', () => {
  expect(proposedReplacements('{"email": "jane@corp.com", "hd": "corp.com"}')).toEqual([
    { kind: 'address', before: 'jane@corp.com', after: 'person1@example.com' },
    { kind: 'domain', before: 'corp.com', after: 'example.com' },
  ]);
});
