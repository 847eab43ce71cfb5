/** Lists a user's fields line by line, for people. */
import { toPrintable } from '../../diagnostics/printable.ts';
import type { UserInfo } from '../../model/user-info.ts';

/** Returns the lines of a user, with aligned names. */
export const userLines = ({ username, uid, groups, extra }: UserInfo): readonly string[] => {
  const rows: (readonly [string, readonly string[]])[] = [
    ['Username', [username]],
    ...(uid === '' ? [] : [['UID', [uid]] as const]),
    ...(groups.length === 0 ? [] : [['Groups', groups] as const]),
    ...[...extra]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, values]) => [`Extra ${key}`, values] as const),
  ];
  const width = Math.max(...rows.map(([title]) => title.length));
  return rows.flatMap(([title, values]) =>
    (values.length === 0 ? ['(none)'] : values).map(
      (value, at) => `  ${(at === 0 ? title : '').padEnd(width)}  ${shown(value)}`,
    ),
  );
};

/**
 * Quotes a value unless it is unambiguous without quotes. The check by Unicode classes is slow to
 * compile, so ASCII is checked first.
 */
const shown = (text: string): string =>
  /^[!-~](?:[ -~]*[!-~])?$/.test(text) || isOrdinary(text)
    ? text
    : toPrintable(JSON.stringify(text));

const isOrdinary = (text: string): boolean =>
  /^[\p{L}\p{N}\p{P}\p{S}](?:[\p{L}\p{M}\p{N}\p{P}\p{S} ]*[\p{L}\p{M}\p{N}\p{P}\p{S}])?$/u.test(
    text,
  );
