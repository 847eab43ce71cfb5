/** URLs and their parts. */
import { boolType, listOf, mapOf, objectType, stringType } from '../types.ts';
import { declare, global, member, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** URLs and their parts. */
export const urlsLibrary: CelLibrary = {
  name: 'urls',
  since: 30,
  doc: 'URLs and their parts.',
  functions: [
    declare('getEscapedPath', '', [
      member('url_get_escaped_path', [objectType('kubernetes.URL')], stringType, pending),
    ]),
    declare('getHost', '', [
      member('url_get_host', [objectType('kubernetes.URL')], stringType, pending),
    ]),
    declare('getHostname', '', [
      member('url_get_hostname', [objectType('kubernetes.URL')], stringType, pending),
    ]),
    declare('getPort', '', [
      member('url_get_port', [objectType('kubernetes.URL')], stringType, pending),
    ]),
    declare('getQuery', '', [
      member(
        'url_get_query',
        [objectType('kubernetes.URL')],
        mapOf(stringType, listOf(stringType)),
        pending,
      ),
    ]),
    declare('getScheme', '', [
      member('url_get_scheme', [objectType('kubernetes.URL')], stringType, pending),
    ]),
    declare('isURL', '', [global('is_url_string', [stringType], boolType, pending)]),
    declare('url', '', [
      global('string_to_url', [stringType], objectType('kubernetes.URL'), pending),
    ]),
  ],
};
