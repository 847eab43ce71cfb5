/** Under which name the fields of an object are noted as written: what the client says, or what it is. */
import { isPrint } from '../../formats/go-quote.ts';
import { decodeUtf8Loosely, encodeUtf8 } from '../../formats/utf8.ts';
import { firstHeader, type HeaderList } from '../../model/header-list.ts';
import { memoizeRecent } from './memoize-recent.ts';

/** The real server's limit of a manager's name. */
const maxManagerBytes = 128;

/** `fieldManager` of the query, or the first word of the user agent: `kubectl/v1.36 (…)` -> `kubectl`. */
export const fieldManager = (requested: string, headers: HeaderList): string =>
  requested || productOf(firstHeader(headers, 'user-agent') ?? '') || 'unknown';

/** What nobody could read is left out; what has no room ends the name. */
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
