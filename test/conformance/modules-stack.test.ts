/** Recorded results of the whole server over TLS. */
import { expect, test } from 'vitest';
import { moduleCases } from '../support/answer-modules/module-cases.ts';
import { answerStack, type StackCase } from '../support/answer-modules/stack.ts';

interface Answers {
  readonly responses?: readonly Readonly<Record<string, unknown>>[];
}

/** Endpoints that describe the server itself: only their status is compared. */
const describesServer = /^\/(?:version|livez|readyz|healthz|api\/?$|apis\/?$|openapi)/;

const compared = (answer: Answers, { input }: StackCase): Answers =>
  answer.responses === undefined
    ? answer
    : {
        responses: answer.responses.map((response, place) =>
          describesServer.test(input.requests[place]?.target ?? '') && response.status === 200
            ? { ...response, body: '' }
            : response,
        ),
      };

test.each(moduleCases<StackCase['config'], StackCase['input']>('stack'))(
  '$id',
  async ({ expect: answer, ...line }) => {
    const answered = (await answerStack(line)) as Answers;
    expect(compared(answered, line)).toEqual(compared(answer as Answers, line));
  },
);
