/** The fields of the form as the request has them. */
import type { WhoamiParams, WhoamiRow } from '@authgraph/language-server/protocol';
import type { AsFields } from '../messages/whoami.ts';

/** `undefined` without a username: nobody acts as somebody else. */
export const asParams = (fields: AsFields): WhoamiParams['as'] => {
  const username = fields.username.trim();
  if (username === '') return undefined;
  const uid = fields.uid.trim();
  const groups = listed(fields.groups);
  const extra = extraOf(fields.extra);
  return {
    username,
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra.length === 0 ? {} : { extra }),
  };
};

/** The row with a text that says who acts: the answer alone looks like that of the other one. */
export const actingRow = (row: WhoamiRow, as: WhoamiParams['as']): WhoamiRow => {
  if (as === undefined || row.acting === undefined) return row;
  const verb = row.acting.allowed ? 'acts as' : 'may not act as';
  const sentence = `${JSON.stringify(row.sample.name)} ${verb} ${JSON.stringify(as.username)}`;
  return { ...row, yaml: `# ${sentence}.\n${row.yaml}` };
};

const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** The same key again adds a value. */
const extraOf = (text: string): readonly { key: string; values: readonly string[] }[] => {
  const valuesByKey = new Map<string, string[]>();
  for (const pair of listed(text)) {
    const [key = '', ...value] = pair.split('=');
    valuesByKey.set(key, [...(valuesByKey.get(key) ?? []), value.join('=')]);
  }
  return [...valuesByKey].map(([key, values]) => ({ key, values }));
};
