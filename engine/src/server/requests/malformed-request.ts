/** What is answered before anything is believed: broken targets, too many or contradicting fields. */
import { allHeaders } from '../../model/header-list.ts';
import { plainErrorResponse, type SentResponse } from '../http/sent-response.ts';
import type { RawRequest } from '../http/exchange.ts';
import { targetOf } from '../http/target.ts';
import { headerLimits } from '../limits.ts';

/** `undefined` for a request that can be read. */
export const malformedReply = (request: RawRequest): SentResponse | undefined => {
  const { headers } = request;
  if (request.fieldCount > headerLimits.fields)
    return plainErrorResponse(431, 'Request Header Fields Too Large');
  if (request.httpMajor === 1) {
    const hosts = allHeaders(headers, 'host');
    if (hosts.length > 1) return plainErrorResponse(400, 'Bad Request');
    if (hosts.length === 0 && request.httpMinor > 0) {
      return plainErrorResponse(400, 'Bad Request: missing required Host header');
    }
    if (!hostCharacters.test(hosts[0] ?? '')) {
      return plainErrorResponse(400, 'Bad Request: malformed Host header');
    }
  }
  return targetOf(request) === undefined ? plainErrorResponse(400, 'Bad Request') : undefined;
};

const hostCharacters = /^[A-Za-z0-9!$%&'()*+,\-.:;=[\]_~]*$/;
