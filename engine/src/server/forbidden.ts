/** The refusal of the authorizer in the real server's words, made safe to stand in a page. */

import { quoteByteText } from '../formats/byte-text.ts';
import { goQuote } from '../formats/go-quote.ts';
import type { ApiError } from '../model/api-error.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { RequestInfo } from './http/request-info.ts';

/** 403. `why`: the authorizer's reason. */
export const forbidden = (user: UserInfo, info: RequestInfo, why = ''): ApiError => {
  const tail = why === '' ? '' : `: ${why}`;
  if (info.kind === 'path') {
    const reason = `User ${goQuote(user.username)} cannot ${info.verb} path ${quoteByteText(info.path)}${tail}`;
    return {
      code: 403,
      reason: 'Forbidden',
      message: `forbidden: ${escapeHtml(reason)}`,
      details: {},
    };
  }
  const { verb, group, resource, subresource, name, namespace } = info.attributes;
  const shown = subresource === undefined ? resource : `${resource}/${subresource}`;
  const scope =
    namespace === undefined
      ? 'at the cluster scope'
      : `in the namespace ${quoteByteText(namespace)}`;
  const reason = `User ${goQuote(user.username)} cannot ${verb} resource ${quoteByteText(shown)} in API group ${quoteByteText(group)} ${scope}${tail}`;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const subject = name === undefined ? qualified : `${qualified} ${quoteByteText(name)}`;
  return {
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: ${escapeHtml(reason)}`,
    details: { group, kind: resource, ...(name === undefined ? {} : { name }) },
  };
};

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
