/** Maps each module of the cases to the function that answers them. */
import { answerAnonymous } from './anonymous.ts';
import { answerBearer } from './bearer.ts';
import { answerBootstrap } from './bootstrap.ts';
import { answerFlags } from './flags.ts';
import { answerImpersonation } from './impersonation.ts';
import { answerOptions } from './options.ts';
import { answerRequestheader } from './requestheader.ts';
import { answerServiceAccount } from './serviceaccount.ts';
import { answerStack } from './stack.ts';
import { answerTokencache } from './tokencache.ts';
import { answerTokencleaner } from './tokencleaner.ts';
import { answerTokenfile } from './tokenfile.ts';
import { answerTokenRequest } from './tokenrequest.ts';
import { answerWebhook } from './webhook.ts';
import { answerWebsocket } from './websocket.ts';
import { answerX509 } from './x509.ts';

/** Each function reads the lines of its own module. */
export type AnswerModule = (line: never) => object | Promise<object>;

export const answerModules: ReadonlyMap<string, AnswerModule> = new Map<string, AnswerModule>([
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
