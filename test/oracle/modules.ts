/**
 * The product as an answering program for cases about modules: one case line in, one answer line out,
 * in order. What a line says was recorded is not looked at.
 *
 *   npm run -s oracle:modules < cases.jsonl > answers.jsonl
 */
import { answerAnonymous } from '../support/answer-modules/anonymous.ts';
import { answerBearer } from '../support/answer-modules/bearer.ts';
import { answerBootstrap } from '../support/answer-modules/bootstrap.ts';
import { answerFlags } from '../support/answer-modules/flags.ts';
import { answerImpersonation } from '../support/answer-modules/impersonation.ts';
import { answerOptions } from '../support/answer-modules/options.ts';
import { answerRequestheader } from '../support/answer-modules/requestheader.ts';
import { answerServiceAccount } from '../support/answer-modules/serviceaccount.ts';
import { answerStack } from '../support/answer-modules/stack.ts';
import { answerTokencache } from '../support/answer-modules/tokencache.ts';
import { answerTokencleaner } from '../support/answer-modules/tokencleaner.ts';
import { answerTokenfile } from '../support/answer-modules/tokenfile.ts';
import { answerTokenRequest } from '../support/answer-modules/tokenrequest.ts';
import { answerWebhook } from '../support/answer-modules/webhook.ts';
import { answerWebsocket } from '../support/answer-modules/websocket.ts';
import { answerX509 } from '../support/answer-modules/x509.ts';
import { linesOf } from '../support/lines-of.ts';

type Answer = (line: never) => object | Promise<object>;

const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['anonymous', answerAnonymous],
  ['bearer', answerBearer],
  ['bootstrap', answerBootstrap],
  ['flags', answerFlags],
  ['impersonation', answerImpersonation],
  ['options', answerOptions],
  ['requestheader', answerRequestheader],
  ['serviceaccount', answerServiceAccount],
  ['stack', answerStack],
  ['tokencache', answerTokencache],
  ['tokencleaner', answerTokencleaner],
  ['tokenfile', answerTokenfile],
  ['tokenrequest', answerTokenRequest],
  ['webhook', answerWebhook],
  ['websocket', answerWebsocket],
  ['x509', answerX509],
]);

interface Line {
  readonly id?: string;
  readonly module?: string;
}

const answer = async (text: string): Promise<object> => {
  let line: Line;
  try {
    const { expect: _recorded, ...rest } = JSON.parse(text);
    line = rest;
  } catch (cause) {
    return { fault: `bad case: ${cause instanceof Error ? cause.message : cause}` };
  }
  const { id = '', module = '' } = line;
  const answerOf = answers.get(module);
  if (answerOf === undefined) return { id, fault: `unknown module ${JSON.stringify(module)}` };
  try {
    // Each answer reads the lines of its own module.
    return { id, expect: await answerOf(line as never) };
  } catch (cause) {
    return { id, fault: `panic: ${cause instanceof Error ? cause.stack : cause}` };
  }
};

/** One after the other: some cases measure time, some listen. */
for await (const text of linesOf(process.stdin)) {
  if (text.trim() !== '') process.stdout.write(`${JSON.stringify(await answer(text))}\n`);
}
