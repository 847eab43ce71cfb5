/**
 * More answers of webhooks and more kubeconfig files than the conformance table has, each with what the
 * real server made of it: p… chosen by hand, r… retries, k…, u…, s… kubeconfig files, g… by chance,
 * d… names of another domain.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RecordedLine } from '../../../support/answer-modules/module-cases.ts';
import { answerWebhook, type WebhookCase } from '../../../support/answer-modules/webhook.ts';

const recorded = readFileSync(join(import.meta.dirname, 'recorded.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as RecordedLine<WebhookCase['config'], WebhookCase['input']>);

/** Texts of Go's own readers of JSON and media types count by their class. */
const byClass = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replace(/json: (?:[^"\\]|\\.)*/g, 'json')
      .replace(/occurred: mime: [^"]*/g, 'occurred: mime'),
  );

test('there are enough of them', () => {
  expect(recorded.length).toBeGreaterThan(250);
});

test.concurrent.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(byClass(await answerWebhook(line))).toEqual(byClass(answer));
});
