/** The schema of what is served, as far as clients ask before they write. */
import { type Answer, rawJsonAnswer } from '../http/answer.ts';
import type { Exchange } from '../http/exchange.ts';
import { openApiDocument } from './openapi-document.ts';

/** `/openapi/v2`, `/openapi/v3` and the documents of the groups below it. */
export const openApiAnswer = (_exchange: Exchange, document: string): Answer =>
  rawJsonAnswer(200, openApiDocument(document));
