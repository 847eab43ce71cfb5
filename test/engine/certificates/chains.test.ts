/**
 * Valid and invalid chains with the results of Go's crypto/x509 (written by test/fuzz/chains.ts):
 * times, purposes, authorities, path lengths, signatures, loops, names, policies, subjects, forms.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerX509, type X509Case } from '../../support/answer-modules/x509.ts';

interface RecordedChain extends X509Case {
  readonly title: string;
  readonly expect: { readonly outcome: string };
}

const recorded = readFileSync(join(import.meta.dirname, 'chains.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as RecordedChain);

test('has enough valid and invalid chains', () => {
  const outcomes = recorded.map(({ expect: { outcome } }) => outcome);
  expect(outcomes.filter((outcome) => outcome === 'accept').length).toBeGreaterThan(200);
  expect(outcomes.filter((outcome) => outcome === 'error').length).toBeGreaterThan(150);
  expect(outcomes.filter((outcome) => outcome === 'tls-handshake-failure').length).toBeGreaterThan(
    80,
  );
});

test.each(recorded)('$id $title', async ({ expect: answer, ...line }) => {
  expect(await answerX509(line)).toEqual(answer);
});
