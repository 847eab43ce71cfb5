/**
 * The errors that precede authentication: malformed targets and too many or contradictory headers.
 */
import { allHeaders, type HeaderField, isNamed } from '../../model/header-list.ts';
import type { RawRequest } from '../http/exchange.ts';
import { plainErrorResponse, type SentResponse } from '../http/sent-response.ts';
import { targetOf } from '../http/target.ts';
import { headerLimits } from '../limits.ts';

/** Returns the error response; `undefined` for a well-formed request. */
export const malformedReply = (request: RawRequest): SentResponse | undefined => {
  const { headers } = request;
  if (request.fieldCount > headerLimits.fields)
    return plainErrorResponse(431, 'Request Header Fields Too Large');
  if (request.rawTarget.length > headerLimits.targetBytes) {
    return plainErrorResponse(414, 'URI Too Long');
  }
  if (headers.some(isTooLong)) return plainErrorResponse(431, 'Request Header Fields Too Large');
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

const isTooLong = (field: HeaderField): boolean =>
  field.value.length > headerLimits.fieldBytes && !tokenFields.some((name) => isNamed(field, name));

/** Names of the fields that carry tokens, which have a limit of their own. */
const tokenFields = ['authorization', 'sec-websocket-protocol'];

const hostCharacters = /^[A-Za-z0-9!$%&'()*+,\-.:;=[\]_~]*$/;
