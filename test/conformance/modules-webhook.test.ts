/**
 * Recorded results of token webhooks: `exact` mode gives the same result as kube-apiserver; product
 * mode rejects a review without a username.
 */
import { describe, expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import { answerWebhook, type WebhookCase } from '../support/answer-modules/webhook.ts';

const recorded = moduleCases<WebhookCase['config'], WebhookCase['input']>('webhook');

test('has all recorded cases', () => {
  expect(recorded.length).toBe(59);
});

/** Errors of JSON and YAML parsers and of TLS are compared by their prefix. */
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
