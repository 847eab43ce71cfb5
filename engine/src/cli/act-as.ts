/** Implements `whoami --as …`: reads the requested user and the roles, and prints the result. */

import { toPrintable } from '../diagnostics/printable.ts';
import type { UserInfo } from '../model/user-info.ts';
import type { RoleFile } from '../rbac/file-roles.ts';
import { type Acting, actAs, questionText, wantedUser } from '../simulate/whoami/act-as.ts';
import type { Paint } from './color.ts';
import { type CommandArguments, fail } from './command.ts';
import { userData } from './decision-data.ts';
import type { Io } from './io.ts';
import { settingsForFile } from './target-settings.ts';
import { acceptedText } from './whoami-text.ts';

interface ActingArguments extends CommandArguments {
  /** The path of the configuration. */
  readonly path: string;
  readonly domain: string;
}

export const checkImpersonation = async (
  caller: UserInfo,
  { path: configuration, domain, ...read }: ActingArguments,
  io: Io,
): Promise<Acting> => {
  const { values } = read;
  const roles: RoleFile[] = [];
  for (const path of values.list('rbac-file')) {
    // Sequential, because standard input can be read only once.
    const file = await io.readText(path);
    if (file.kind === 'failure') return fail(io, file.reason);
    roles.push({ name: path, text: file.text });
  }
  const wanted = wantedUser({
    username: values.string('as'),
    uid: values.string('as-uid'),
    groups: values.list('as-group'),
    extra: values.list('as-user-extra').map((text) => {
      const end = text.indexOf('=');
      return { key: text.slice(0, end), values: [text.slice(end + 1)] };
    }),
  });
  const answer = await actAs(caller, wanted, {
    roles,
    domain,
    featureGates: (await settingsForFile(read, configuration, io)).featureGates,
  });
  return answer.kind === 'problems' ? fail(io, answer.problems.join('\n')) : answer;
};

export const actingText = (acting: Acting, paint: Paint): string => {
  const { outcome, questions, refusal, bare, wanted } = acting;
  const lines = questions.map(
    ({ attributes, allowed, reason }) =>
      `  ${allowed ? paint('green', 'allowed') : paint('red', 'denied ')}  ${toPrintable(questionText(attributes))}${reason === '' ? '' : toPrintable(` (${reason})`)}\n`,
  );
  if (outcome.kind === 'impersonated') {
    return `${acceptedText(outcome.user, paint).replace('accepted', 'impersonating')}${lines.join('')}`;
  }
  const hint = bare
    ? `${paint('dim', 'No roles are specified with --rbac-file, so only the bootstrap roles apply.')}\n`
    : '';
  const header = `${paint('red', 'cannot impersonate')} ${toPrintable(JSON.stringify(wanted.username))}: the request would get a 403\n`;
  return `${header}  ${toPrintable(refusal ?? '')}\n${lines.join('')}${hint}`;
};

/** Returns the result for `-o json` and `-o yaml`. */
export const actingData = ({ outcome, questions, refusal }: Acting): object => ({
  decision: outcome.kind === 'denied' ? 'denied' : 'allowed',
  ...(outcome.kind === 'denied'
    ? { message: refusal }
    : {
        mode: outcome.mode,
        user: userData(outcome.user),
      }),
  questions: questions.map(({ attributes, allowed, reason }) => ({
    question: questionText(attributes),
    allowed,
    ...(reason === '' ? {} : { reason }),
  })),
});
