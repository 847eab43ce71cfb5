/** Copies the example workspace that most lists open. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Play } from './stage.ts';
import type { Place } from './text-editor.ts';

const source = join(import.meta.dirname, 'workspace');

export const configuration = 'authentication.yaml';

export const exampleFolder = ({ server }: Play, name: string): string => {
  const folder = server.folder(name);
  cpSync(source, folder, { recursive: true });
  return folder;
};

const lines = readFileSync(join(source, configuration), 'utf8').split('\n');

/** Returns the place of a text on the first line that contains `on`. */
const placeOf = (text: string, on = text): Place => {
  const line = lines.findIndex((each) => each.includes(on));
  const start = lines[line]?.indexOf(text) ?? -1;
  if (start < 0) throw new Error(`${configuration} has no ${text}`);
  return { line: line + 1, column: start + 1, length: text.length };
};

const after = ({ line, column, length }: Place): Place => ({
  line,
  column: column + length,
  length: 0,
});

export const places = {
  firstIssuer: placeOf('issuer', 'issuer:'),
  audience: placeOf('cluster', '- cluster'),
  afterUrl: after(placeOf('https://login.example.com/realms/platform')),
  endsWith: placeOf('endsWith'),
  endsWithArgument: after(placeOf("endsWith('")),
  endsWithEnd: after(placeOf("endsWith('@example.com')")),
  pipelineGroups: placeOf("['pipelines:' + claims.repository_owner]"),
  emailDomain: placeOf('example.com', 'endsWith'),
  ruleMessage: placeOf('message', 'message: only people'),
  usernamePrefix: placeOf('people:'),
  plus: placeOf(' + ', 'claims.preferred_username'),
  usernameClaim: placeOf('preferred_username'),
  groups: placeOf('groups'),
  roleVariable: placeOf('role', '.map(role'),
} as const;
