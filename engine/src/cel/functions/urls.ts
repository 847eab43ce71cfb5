/**
 * URLs: read as the API server reads them, and their parts.
 */
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

/** URLs and their parts. */
export const urlsLibrary: CelLibrary = {
  name: 'urls',
  since: 30,
  doc: 'URLs and their parts.',
  functions: [
    declare('getEscapedPath', 'Path of a URL, escaped.', [
      member('url_get_escaped_path', [urlType], stringType, getter(escapedPathOf)),
    ]),
    declare('getHost', 'Host and port of a URL.', [
      member(
        'url_get_host',
        [urlType],
        stringType,
        getter(({ parts }) => parts.host),
      ),
    ]),
    declare('getHostname', 'Host of a URL, without port and brackets.', [
      member('url_get_hostname', [urlType], stringType, getter(hostnameOf)),
    ]),
    declare('getPort', 'Port of a URL, or the empty text.', [
      member('url_get_port', [urlType], stringType, getter(portOf)),
    ]),
    declare('getQuery', 'Parameters of a URL: lists of values by name.', [
      member('url_get_query', [urlType], mapOf(stringType, listOf(stringType)), getter(queryOf)),
    ]),
    declare('getScheme', 'Scheme of a URL.', [
      member(
        'url_get_scheme',
        [urlType],
        stringType,
        getter(({ parts }) => parts.scheme),
      ),
    ]),
    declare('isURL', 'Tells whether a text is a URL.', [
      global('is_url_string', [stringType], boolType, isUrl),
    ]),
    declare('url', 'Reads a URL; an error if it is none.', [
      global('string_to_url', [stringType], urlType, url),
    ]),
  ],
};
