/** Who samples would be: verdict, user, steps, what would be accepted, the command and the YAML. */
import {
  type WhoamiReport,
  type WhoamiRow,
  whoamiRequest,
} from '../../language-server/src/protocol.ts';
import { runFixtures } from '../support/language-fixtures.ts';

runFixtures('whoami', async ({ client, uri, fixture }) => {
  const { ask = {} } = fixture.settings as { readonly ask?: object };
  const report = await client.connection.sendRequest<WhoamiReport>(whoamiRequest, { uri, ...ask });
  const problem = report.problem === undefined ? [] : [`problem: ${report.problem}`];
  return [...problem, ...report.rows.flatMap(rowLines)].join('\n');
});

const rowLines = (row: WhoamiRow): readonly string[] => [
  `${row.verdict}: ${row.headline}`,
  ...(row.code === undefined ? [] : [`  ${row.code} ${row.message}${at(row.place)}`]),
  ...(row.user === undefined ? [] : [`  user ${JSON.stringify(row.user)}`]),
  ...row.sources.map(({ part, place }) => `  from ${part}${at(place)}`),
  ...row.steps.flatMap(({ what, outcome, detail, value, values, place }) => [
    `  ${outcome} ${what}${detail === undefined ? '' : ` | ${detail}`}${value === undefined ? '' : ` → ${value}`}${at(place)}`,
    ...values.map((seen) => `    ${seen.expression} → ${seen.value}`),
  ]),
  ...row.whyNot.flatMap(({ text, claims }) => [
    `  ${text}`,
    `    ${claims.replaceAll(/\s+/g, ' ')}`,
  ]),
  ...(row.acting === undefined ? [] : [`  acting ${JSON.stringify(row.acting, undefined, 1)}`]),
  `  $ ${row.command}`,
  ...row.yaml
    .trimEnd()
    .split('\n')
    .map((line) => `  | ${line}`),
];

const at = (place: WhoamiRow['place']): string =>
  place === undefined
    ? ''
    : ` @${place.range.start.line + 1}:${place.range.start.character + 1}-${place.range.end.line + 1}:${place.range.end.character + 1}`;
