/**
 * The manager name in `managedFields`: the `fieldManager` parameter or, by default, a part of the
 * user agent.
 */
import { isPrint } from '../../formats/go-quote.ts';
import { decodeUtf8Loosely, encodeUtf8 } from '../../formats/utf8.ts';
import { firstHeader, type HeaderList } from '../../model/header-list.ts';
import { memoizeRecent } from './memoize-recent.ts';

/** kube-apiserver's limit for the name of a field manager. */
const maxManagerBytes = 128;

/**
 * Returns the `fieldManager` parameter or the product in the user agent: `kubectl/v1.36 (…)` ->
 * `kubectl`.
 */
export const fieldManager = (requested: string, headers: HeaderList): string =>
  requested || productOf(firstHeader(headers, 'user-agent') ?? '') || 'unknown';

/** Returns the printable characters in front of the first slash, cut at the limit. */
const productOf = memoizeRecent((agent) => {
  const productBytes = Uint8Array.from(agent.split('/', 1)[0] ?? '', (byte) => byte.charCodeAt(0));
  let name = '';
  let size = 0;
  for (const character of decodeUtf8Loosely(productBytes)) {
    if (!isPrint(character)) continue;
    size += encodeUtf8(character).length;
    if (size > maxManagerBytes) break;
    name += character;
  }
  return name;
});
