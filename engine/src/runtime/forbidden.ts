/** The 403 response of kube-apiserver. Parts that clients control are HTML-escaped. */
import { quoteByteString } from '../formats/byte-string.ts';
import type { ApiError } from '../model/api-error.ts';
import type { AuthorizationRequest } from '../ports/authorizer.ts';

/** Creates the 403 response. `why` is the authorizer's reason, which is not escaped. */
export const forbidden = (
  { user, resource: attributes, nonResource }: AuthorizationRequest,
  why = '',
): ApiError => {
  const tail = why === '' ? '' : `: ${why}`;
  if (attributes === undefined) {
    const { verb, path } = nonResource ?? { verb: '', path: '' };
    const reason = `User ${quoteByteString(user.username)} cannot ${verb} path ${quoteByteString(path)}`;
    return {
      code: 403,
      reason: 'Forbidden',
      message: `forbidden: ${escapeHtml(reason)}${tail}`,
      details: {},
    };
  }
  const { verb, group, resource, subresource, name, namespace } = attributes;
  const shown = subresource === undefined ? resource : `${resource}/${subresource}`;
  const scope =
    namespace === undefined
      ? 'at the cluster scope'
      : `in the namespace ${quoteByteString(namespace)}`;
  const reason = `User ${quoteByteString(user.username)} cannot ${verb} resource ${quoteByteString(shown)} in API group ${quoteByteString(group)} ${scope}`;
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const named = name === undefined ? qualified : `${qualified} ${quoteByteString(name)}`;
  // A path with an empty segment has no resource; the message then omits the name as well.
  const subject = qualified === '' ? '' : `${named} is `;
  return {
    code: 403,
    reason: 'Forbidden',
    message: `${subject}forbidden: ${escapeHtml(reason)}${tail}`,
    details: { group, kind: resource, ...(name === undefined ? {} : { name }) },
  };
};

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
