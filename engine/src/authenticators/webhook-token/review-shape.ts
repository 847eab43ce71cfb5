/** The structure of the other objects that a webhook may respond with. */
import { int32, string, struct } from '../../formats/go-struct/shape.ts';
import { objectMeta } from '../../resources/shape.ts';

/** The structure of a Status, with which API servers report errors. */
export const statusShape = struct(
  'v1.Status',
  ['kind', string],
  ['apiVersion', string],
  ['status', string],
  ['message', string],
  ['reason', { kind: 'string', goType: 'v1.StatusReason' }],
  ['details', struct('v1.StatusDetails', ['retryAfterSeconds', int32]), { written: 'when-set' }],
  ['code', int32],
);

/** The structure of any other object, of which only the metadata is decoded. */
export const otherShape = struct(
  'v1.Object',
  ['kind', string],
  ['apiVersion', string],
  ['metadata', objectMeta],
);
