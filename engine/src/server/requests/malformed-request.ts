/** What is answered before anything is believed: broken targets, too many or contradicting fields. */
import { allHeaders } from '../../model/header-list.ts';
import { plainRefusal, type Reply } from '../http/complete-answer.ts';
import type { RequestHead } from '../http/exchange.ts';
import { targetOf } from '../http/target.ts';
import { headerLimits } from '../limits.ts';

/** `undefined` for a request that can be read. */
export const malformedReply = (head: RequestHead): Reply | undefined => {
  const { headers } = head;
  if (head.fieldCount > headerLimits.fields)
    return plainRefusal(431, 'Request Header Fields Too Large');
  if (head.httpMajor === 1) {
    const hosts = allHeaders(headers, 'host');
    if (hosts.length > 1) return plainRefusal(400, 'Bad Request');
    if (hosts.length === 0 && head.httpMinor > 0) {
      return plainRefusal(400, 'Bad Request: missing required Host header');
    }
    if (!hostCharacters.test(hosts[0] ?? '')) {
      return plainRefusal(400, 'Bad Request: malformed Host header');
    }
  }
  return targetOf(head) === undefined ? plainRefusal(400, 'Bad Request') : undefined;
};

const hostCharacters = /^[A-Za-z0-9!$%&'()*+,\-.:;=[\]_~]*$/;
