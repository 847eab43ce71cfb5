/** Base64 and JSON. */
import { bytesType, dynType, stringType } from '../types.ts';
import { declare, global, pending } from './declare.ts';
import type { CelLibrary } from './library.ts';

/** Base64 and JSON. */
export const encodersLibrary: CelLibrary = {
  name: 'encoders',
  since: 30,
  doc: 'Base64 and JSON.',
  functions: [
    declare('base64.decode', '', [
      global('base64_decode_string', [stringType], bytesType, pending),
    ]),
    declare('base64.encode', '', [global('base64_encode_bytes', [bytesType], stringType, pending)]),
    declare('json.encode', '', [global('json_encode_dyn', [dynType], stringType, pending)]),
  ],
};
