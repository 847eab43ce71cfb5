/** Base64 and JSON. */
import { bytesType, dynType, stringType } from '../types.ts';
import { declare, global, planned } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Base64 and JSON. */
export const encodersLibrary: CelLibrary = {
  name: 'encoders',
  since: 30,
  doc: 'Base64 and JSON.',
  functions: [
    declare('base64.decode', '', [
      global('base64_decode_string', [stringType], bytesType, planned),
    ]),
    declare('base64.encode', '', [global('base64_encode_bytes', [bytesType], stringType, planned)]),
    declare('json.encode', '', [global('json_encode_dyn', [dynType], stringType, planned)]),
  ],
};
