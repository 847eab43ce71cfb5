/** Converts errors to kube-apiserver's Status object. */

import { type OutputMap, omitEmpty, outputMap } from '../../formats/output-value.ts';
import type { ApiError } from '../../model/api-error.ts';

/** Returns a Status with fields in the order of kube-apiserver's struct. */
export const statusObject = (error: ApiError): OutputMap =>
  outputMap(
    ['kind', 'Status'],
    ['apiVersion', 'v1'],
    ['metadata', outputMap()],
    ['status', 'Failure'],
    ['message', omitEmpty(error.message)],
    ['reason', omitEmpty(error.reason)],
    ['details', error.details === undefined ? undefined : detailsObject(error.details)],
    ['code', error.code],
  );

const detailsObject = (details: NonNullable<ApiError['details']>): OutputMap =>
  outputMap(
    ['name', omitEmpty(details.name ?? '')],
    ['group', omitEmpty(details.group ?? '')],
    ['kind', omitEmpty(details.kind ?? '')],
    [
      'causes',
      omitEmpty(
        (details.causes ?? []).map((cause) =>
          outputMap(
            ['reason', omitEmpty(cause.reason)],
            ['message', omitEmpty(cause.message)],
            ['field', omitEmpty(cause.field)],
          ),
        ),
      ),
    ],
    ['retryAfterSeconds', details.retryAfterSeconds],
  );
