/** A refusal as the Status object of the real server. */

import { type OutputMap, outputMap, unlessEmpty } from '../../formats/output.ts';
import type { ApiError } from '../../model/api-error.ts';

/** Fields in the order of the real server's struct. */
export const statusObject = (error: ApiError): OutputMap =>
  outputMap(
    ['kind', 'Status'],
    ['apiVersion', 'v1'],
    ['metadata', outputMap()],
    ['status', 'Failure'],
    ['message', unlessEmpty(error.message)],
    ['reason', unlessEmpty(error.reason)],
    ['details', error.details === undefined ? undefined : detailsObject(error.details)],
    ['code', error.code],
  );

const detailsObject = (details: NonNullable<ApiError['details']>): OutputMap =>
  outputMap(
    ['name', unlessEmpty(details.name ?? '')],
    ['group', unlessEmpty(details.group ?? '')],
    ['kind', unlessEmpty(details.kind ?? '')],
    [
      'causes',
      unlessEmpty(
        (details.causes ?? []).map((cause) =>
          outputMap(
            ['reason', unlessEmpty(cause.reason)],
            ['message', unlessEmpty(cause.message)],
            ['field', unlessEmpty(cause.field)],
          ),
        ),
      ),
    ],
    ['retryAfterSeconds', details.retryAfterSeconds],
  );
