/**
 * Further webhook responses and kubeconfig files with kube-apiserver's results: p… chosen by hand,
 * r… retries, k…, u…, s… kubeconfig files, g… generated, d… names of another domain.
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

/** Messages of Go's JSON and media type parsers are compared by their class. */
const byClass = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replace(/json: (?:[^"\\]|\\.)*/g, 'json')
      .replace(/occurred: mime: [^"]*/g, 'occurred: mime'),
  );

test('has enough cases', () => {
  expect(recorded.length).toBeGreaterThan(250);
});

test.concurrent.each(recorded)('$id', async ({ expect: answer, ...line }) => {
  expect(byClass(await answerWebhook(line))).toEqual(byClass(answer));
});
