/** The functions of the standard library that return a part of a timestamp or a duration. */
import { type DurationPart, durationPart, type TimePart, timePart } from '../values/time-parts.ts';
import { durationType, intType, stringType, timestampType } from '../values/types.ts';
import { declare, member, members } from './declare.ts';
import type { FunctionDeclaration, OverloadDeclaration } from './library.ts';

/** Declares the overloads of an accessor of timestamps, in UTC and in a time zone. */
const timestampOverloads = (
  id: string,
  part: TimePart,
  idWithZone = `${id}_with_tz`,
): readonly OverloadDeclaration[] =>
  members(intType, timePart(part), {
    [id]: [timestampType],
    [idWithZone]: [timestampType, stringType],
  });

const durationOverload = (part: DurationPart): OverloadDeclaration =>
  member(`duration_to_${part}`, [durationType], intType, durationPart(part));

export const timeAccessors: readonly FunctionDeclaration[] = [
  declare(
    'getDate',
    'Returns the day of the month, starting at 1.',
    timestampOverloads('timestamp_to_day_of_month_1_based', 'date'),
  ),
  declare(
    'getDayOfMonth',
    'Returns the day of the month, starting at 0.',
    timestampOverloads('timestamp_to_day_of_month', 'dayOfMonth'),
  ),
  declare(
    'getDayOfWeek',
    'Returns the day of the week; Sunday is 0.',
    timestampOverloads('timestamp_to_day_of_week', 'dayOfWeek'),
  ),
  declare(
    'getDayOfYear',
    'Returns the day of the year, starting at 0.',
    timestampOverloads('timestamp_to_day_of_year', 'dayOfYear'),
  ),
  declare(
    'getFullYear',
    'Returns the year of a timestamp, in UTC or a time zone.',
    timestampOverloads('timestamp_to_year', 'year'),
  ),
  declare('getHours', 'Returns the hours of a timestamp, or the whole hours of a duration.', [
    ...timestampOverloads('timestamp_to_hours', 'hours'),
    durationOverload('hours'),
  ]),
  declare(
    'getMilliseconds',
    'Returns the milliseconds of a timestamp, or the whole milliseconds of a duration.',
    [
      ...timestampOverloads('timestamp_to_milliseconds', 'milliseconds'),
      durationOverload('milliseconds'),
    ],
  ),
  declare('getMinutes', 'Returns the minutes of a timestamp, or the whole minutes of a duration.', [
    ...timestampOverloads('timestamp_to_minutes', 'minutes'),
    durationOverload('minutes'),
  ]),
  declare(
    'getMonth',
    'Returns the month of a timestamp, starting at 0.',
    timestampOverloads('timestamp_to_month', 'month'),
  ),
  declare('getSeconds', 'Returns the seconds of a timestamp, or the whole seconds of a duration.', [
    ...timestampOverloads('timestamp_to_seconds', 'seconds', 'timestamp_to_seconds_tz'),
    durationOverload('seconds'),
  ]),
];
