/** Searches with RE2 expressions. The planner compiles constant expressions in advance. */
import { searchExceedsLimit } from '../cost/cost.ts';
import { type CompiledRegex, compileRegex } from '../regex/regex.ts';
import { costLimitExceeded } from '../values/evaluation-errors.ts';
import { nativeInt, nativeString } from '../values/native-value.ts';
import { intType, listOf, stringType } from '../values/types.ts';
import {
  type Body,
  CelError,
  type CelResult,
  type CelValue,
  noSuchOverload,
  stringList,
} from '../values/value.ts';
import { declare, member, members } from './declare.ts';
import type { CelLibrary } from './library.ts';

const find: Body = (text = null, pattern = null) =>
  searchWithPattern(text, pattern, (regex, searchedText) => regex.find(searchedText));

const findAll: Body = (text = null, pattern = null, limit = -1n) => {
  const maxMatches = nativeInt(limit);
  return maxMatches === undefined
    ? noSuchOverload
    : searchWithPattern(text, pattern, (regex, searchedText) =>
        listOfMatches(regex.findAll(searchedText, Number(maxMatches))),
      );
};

const listOfMatches = (matches: readonly string[] | CelError): CelResult =>
  matches instanceof CelError ? matches : stringList(matches);

const searchWithPattern = (
  value: CelValue,
  expression: CelValue,
  search: (regex: CompiledRegex, text: string) => CelResult,
): CelResult => {
  const text = nativeString(value);
  const pattern = nativeString(expression);
  if (text === undefined || pattern === undefined) return noSuchOverload;
  if (searchExceedsLimit(text, pattern)) return costLimitExceeded;
  const regex = compileRegex(pattern);
  if (regex === costLimitExceeded) return regex;
  return regex instanceof CelError
    ? new CelError(`Illegal regex: ${regex.message}`)
    : search(regex, text);
};

/** The `regex` library. */
export const regexLibrary: CelLibrary = {
  name: 'regex',
  since: 30,
  doc: 'Searches with RE2 expressions.',
  functions: [
    declare('find', 'Returns the first match of an RE2 expression, or an empty string.', [
      member('string_find_string', [stringType, stringType], stringType, find),
    ]),
    declare(
      'findAll',
      'Returns all matches of an RE2 expression, up to an optional limit.',
      members(listOf(stringType), findAll, {
        string_find_all_string: [stringType, stringType],
        string_find_all_string_int: [stringType, stringType, intType],
      }),
    ),
  ],
};
