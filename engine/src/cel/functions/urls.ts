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
import { type CelValue, noSuchOverload } from '../values/value.ts';
import { type Body, declare, global, member } from './declare.ts';
import type { CelLibrary } from './library.ts';

const urlType = objectType('kubernetes.URL');
const url: Body = (text = null) => (typeof text === 'string' ? parseUrl(text) : noSuchOverload);

const isUrl: Body = (text = null) =>
  typeof text === 'string' ? requestUriProblem(text) === undefined : noSuchOverload;

const getter =
  (read: (url: CelUrl) => CelValue): Body =>
  (value = null) =>
    value instanceof CelUrl ? read(value) : noSuchOverload;

/** The `urls` library. */
export const urlsLibrary: CelLibrary = {
  name: 'urls',
  since: 30,
  doc: 'URLs and their parts.',
  functions: [
    declare('getEscapedPath', 'Returns the escaped path of a URL.', [
      member('url_get_escaped_path', [urlType], stringType, getter(escapedPathOf)),
    ]),
    declare('getHost', 'Returns the host and port of a URL.', [
      member(
        'url_get_host',
        [urlType],
        stringType,
        getter(({ parts }) => parts.host),
      ),
    ]),
    declare('getHostname', 'Returns the host of a URL without port and brackets.', [
      member('url_get_hostname', [urlType], stringType, getter(hostnameOf)),
    ]),
    declare('getPort', 'Returns the port of a URL, or an empty string.', [
      member('url_get_port', [urlType], stringType, getter(portOf)),
    ]),
    declare('getQuery', 'Returns the query parameters of a URL: lists of values by name.', [
      member('url_get_query', [urlType], mapOf(stringType, listOf(stringType)), getter(queryOf)),
    ]),
    declare('getScheme', 'Returns the scheme of a URL.', [
      member(
        'url_get_scheme',
        [urlType],
        stringType,
        getter(({ parts }) => parts.scheme),
      ),
    ]),
    declare('isURL', 'Returns whether a string is a URL.', [
      global('is_url_string', [stringType], boolType, isUrl),
    ]),
    declare('url', 'Parses a URL; an invalid URL is an error.', [
      global('string_to_url', [stringType], urlType, url),
    ]),
  ],
};
