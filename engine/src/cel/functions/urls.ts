/** URLs, parsed as the API server does, and their parts. */
import { requestUriProblem } from '../../formats/go-request-uri.ts';
import { boolType, listOf, mapOf, objectType, stringType } from '../values/types.ts';
import {
  CelUrl,
  escapedPathOf,
  hostnameOf,
  parseUrl,
  portOf,
  queryOf,
} from '../values/url-value.ts';
import { declare, gettersOf, global, onStrings } from './declare.ts';
import type { CelLibrary } from './library.ts';

const urlType = objectType('kubernetes.URL');
const getter = gettersOf(urlType, CelUrl);

const url = onStrings((text = '') => parseUrl(text));
const isUrl = onStrings((text = '') => requestUriProblem(text) === undefined);

/** The `urls` library. */
export const urlsLibrary: CelLibrary = {
  name: 'urls',
  since: 30,
  doc: 'URLs and their parts.',
  functions: [
    declare('getEscapedPath', 'Returns the escaped path of a URL.', [
      getter('url_get_escaped_path', stringType, escapedPathOf),
    ]),
    declare('getHost', 'Returns the host and port of a URL.', [
      getter('url_get_host', stringType, ({ parts }) => parts.host),
    ]),
    declare('getHostname', 'Returns the host of a URL without port and brackets.', [
      getter('url_get_hostname', stringType, hostnameOf),
    ]),
    declare('getPort', 'Returns the port of a URL, or an empty string.', [
      getter('url_get_port', stringType, portOf),
    ]),
    declare('getQuery', 'Returns the query parameters of a URL: lists of values by name.', [
      getter('url_get_query', mapOf(stringType, listOf(stringType)), queryOf),
    ]),
    declare('getScheme', 'Returns the scheme of a URL.', [
      getter('url_get_scheme', stringType, ({ parts }) => parts.scheme),
    ]),
    declare('isURL', 'Returns whether a string is a URL.', [
      global('is_url_string', [stringType], boolType, isUrl),
    ]),
    declare('url', 'Parses a URL; an invalid URL is an error.', [
      global('string_to_url', [stringType], urlType, url),
    ]),
  ],
};
