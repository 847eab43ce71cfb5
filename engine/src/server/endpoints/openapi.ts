/** The schema of what is served, as far as clients ask before they write. */
import { formNotAcceptable } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import { type HandlerResponse, errorResponse } from '../http/handler-response.ts';
import type { Exchange } from '../http/exchange.ts';
import { routerAccepts } from '../wire/media-type.ts';
import { writeJson } from '../wire/write-json.ts';
import { openApiDocument } from './openapi-document.ts';

/** `/openapi/v2`, `/openapi/v3` and the documents of the groups below it; JSON alone. */
export const openApiAnswer = (exchange: Exchange, document: string): HandlerResponse => {
  const accept = firstHeader(exchange.headers, 'accept');
  const isIndex = document === '/openapi/v3';
  if (!isIndex && !routerAccepts(accept)) {
    return errorResponse(exchange, formNotAcceptable(['application/json']));
  }
  // The real server leaves the type of its index to be guessed.
  const contentType = isIndex ? 'text/plain; charset=utf-8' : 'application/json';
  const body = writeJson(openApiDocument(document));
  return { status: 200, headers: [['Content-Type', contentType]], body };
};
