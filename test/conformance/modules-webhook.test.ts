/** Webhooks, as recorded: exactly in exact mode; the product refuses a review that names nobody. */
import { describe, expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import { answerWebhook, type WebhookCase } from '../support/answer-modules/webhook.ts';

const recorded = moduleCases<WebhookCase['config'], WebhookCase['input']>('webhook');

test('all of them are here', () => {
  expect(recorded.length).toBe(59);
});

/** Texts of JSON and YAML readers and of TLS count by their beginning. */
const byClass = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer).replace(/"error":"json: [^"]*"/g, '"error":"json: …"'));

describe('exact', () => {
  test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
    expect(byClass(await answerWebhook(line))).toEqual(byClass(answer));
  });
});

describe('product', () => {
  const nameless = new Set(['webhook-006']);
  test.each(recorded)('$id', async ({ expect: answer, ...line }) => {
    const ours = byClass(await answerWebhook(line, 'product'));
    if (nameless.has(line.id)) {
      expect(ours).toMatchObject({
        results: [{ outcome: 'error', error: 'webhook: refused: the review names no user' }],
      });
      return;
    }
    expect(ours).toEqual(byClass(answer));
  });
});
