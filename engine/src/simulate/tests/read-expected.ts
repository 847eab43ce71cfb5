/** Reads what a case expects. */
import type { RowMap, RowReader } from '../../config/rows/read-rows.ts';
import { moduleIds } from '../../model/module-id.ts';
import { listsByName, mapOf, textOf, textsOf } from './row-fields.ts';
import type { Expected, ExpectedRejection, ExpectedUser } from './test-case.ts';

/** The fields that decide which outcome a case expects. */
export const outcomeFields: readonly string[] = ['user', 'userIncludes', 'rejected', 'forbidden'];

/** Returns the expectation, or `undefined` after a mistake has been reported. */
export const readExpected = (
  map: RowMap,
  reader: Pick<RowReader, 'invalid'>,
): Expected | undefined => {
  const outcomes = outcomeFields.filter((name) => map.fields.has(name));
  const fail = (problem: string, name = ''): undefined =>
    reader.invalid(map.fields.get(name)?.span ?? map.span, { path: map.path, problem });
  if (outcomes.length === 0 && !map.fields.has('withoutGroups'))
    return fail(
      'expect needs an outcome: user, userIncludes, withoutGroups, rejected or forbidden',
    );
  const isNegative = outcomes.includes('rejected') || outcomes.includes('forbidden');
  if (isNegative && (outcomes.length > 1 || map.fields.has('withoutGroups')))
    return fail(`${outcomes[0]} and ${outcomes[1] ?? 'withoutGroups'} exclude each other`);
  for (const name of ['rejected', 'forbidden']) {
    const value = map.fields.get(name);
    if (value?.kind === 'bool' && !value.value)
      return fail(`${name} must be true; use user or userIncludes for an accepted request`, name);
  }
  const by = textOf(map, 'by');
  if (by !== undefined && !isAuthenticator(by))
    return fail(
      `by must be jwt[0], ${moduleIds.filter((id) => id !== 'jwt').join(', ')} or none`,
      'by',
    );
  const rejected = rejectionOf(map);
  if (rejected?.code !== undefined && !/^AG5\d{3}$/.test(rejected.code))
    return fail('the code of a rejection is AG5 and three digits, such as AG5013', 'rejected');
  const maxCost = map.fields.get('maxCost');
  const user = exactUser(map);
  const includes = mapOf(map, 'userIncludes');
  const username = textOf(map, 'user');
  // Each of these fields expects an accepted request, even if it is empty.
  const partial = (includes ?? username) !== undefined && {
    ...(includes === undefined ? {} : partialUser(includes)),
    ...(username === undefined ? {} : { username }),
  };
  const forbidden = map.fields.get('forbidden');
  return {
    ...(user === undefined ? {} : { user }),
    ...(partial ? { userIncludes: partial } : {}),
    ...(map.fields.has('withoutGroups') ? { withoutGroups: textsOf(map, 'withoutGroups') } : {}),
    ...(rejected === undefined ? {} : { rejected }),
    ...(forbidden === undefined
      ? {}
      : { forbidden: forbidden.kind === 'string' ? forbidden.text : '' }),
    ...(by === undefined ? {} : { by }),
    ...(maxCost?.kind === 'int' ? { maxCost: maxCost.value } : {}),
  };
};

const isAuthenticator = (name: string): boolean =>
  name === 'none' || /^jwt(?:\[\d{1,4}\])?$/.test(name) || moduleIds.some((id) => id === name);

const exactUser = (map: RowMap): ExpectedUser | undefined => {
  const user = mapOf(map, 'user');
  return user && { ...emptyUser, ...partialUser(user) };
};

const emptyUser: ExpectedUser = { username: '', uid: '', groups: [], extra: new Map() };

const partialUser = (map: RowMap): Partial<ExpectedUser> => {
  const username = textOf(map, 'username');
  const uid = textOf(map, 'uid');
  return {
    ...(username === undefined ? {} : { username }),
    ...(uid === undefined ? {} : { uid }),
    ...(map.fields.has('groups') ? { groups: textsOf(map, 'groups') } : {}),
    ...(map.fields.has('extra') ? { extra: listsByName(mapOf(map, 'extra')) } : {}),
  };
};

const rejectionOf = (map: RowMap): ExpectedRejection | undefined => {
  const value = map.fields.get('rejected');
  if (value === undefined) return undefined;
  if (value.kind === 'string') return { code: value.text };
  if (value.kind !== 'map') return {};
  const [code, at, message] = ['code', 'at', 'message'].map((name) => textOf(value, name));
  return {
    ...(code === undefined ? {} : { code }),
    ...(at === undefined ? {} : { at }),
    ...(message === undefined ? {} : { message }),
  };
};
