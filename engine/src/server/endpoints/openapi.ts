/** The OpenAPI endpoints that clients read before they write. */
import { formNotAcceptable } from '../../model/api-error.ts';
import { firstHeader } from '../../model/header-list.ts';
import type { Exchange } from '../http/exchange.ts';
import { errorResponse, type HandlerResponse } from '../http/handler-response.ts';
import { routerAccepts } from '../wire/media-type.ts';
import { writeJson } from '../wire/write-json.ts';
import { openApiDocument } from './openapi-document.ts';

/** Returns `/openapi/v2`, `/openapi/v3` or the document of a group; JSON only. */
export const openApiResponse = (exchange: Exchange, document: string): HandlerResponse => {
  const accept = firstHeader(exchange.headers, 'accept');
  const isIndex = document === '/openapi/v3';
  if (!isIndex && !routerAccepts(accept)) {
    return errorResponse(exchange, formNotAcceptable(['application/json']));
  }
  // kube-apiserver does not set the content type of its index, so Go detects it.
  const contentType = isIndex ? 'text/plain; charset=utf-8' : 'application/json';
  const body = writeJson(openApiDocument(document));
  return { status: 200, headers: [['Content-Type', contentType]], body };
};
