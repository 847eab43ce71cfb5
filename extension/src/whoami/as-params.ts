/** Converts the fields of the impersonation form to request parameters. */
import type { WhoamiParams, WhoamiRow } from '@authgraph/language-server/protocol';
import type { AsFields } from '../messages/whoami.ts';

/** Returns `undefined` without a username, which means no impersonation. */
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

/**
 * Adds a comment that names the impersonated user, because the YAML alone does not show who
 * impersonates.
 */
export const actingRow = (row: WhoamiRow, as: WhoamiParams['as']): WhoamiRow => {
  if (as === undefined || row.acting === undefined) return row;
  const verb = row.acting.allowed ? 'impersonates' : 'is not allowed to impersonate';
  const sentence = `${JSON.stringify(row.sample.name)} ${verb} ${JSON.stringify(as.username)}`;
  return { ...row, yaml: `# ${sentence}.\n${row.yaml}` };
};

const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** A repeated key adds a value. */
const extraOf = (text: string): readonly { key: string; values: readonly string[] }[] => {
  const valuesByKey = new Map<string, string[]>();
  for (const pair of listed(text)) {
    const [key = '', ...value] = pair.split('=');
    valuesByKey.set(key, [...(valuesByKey.get(key) ?? []), value.join('=')]);
  }
  return [...valuesByKey].map(([key, values]) => ({ key, values }));
};
