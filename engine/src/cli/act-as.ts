/** `whoami --as …`: reads whom the caller wants to be and which roles hold, and asks. */
import { printable } from '../diagnostics/printable.ts';
import { kubernetesDomain } from '../model/api-domain.ts';
import { constrainedImpersonationGate } from '../model/feature-gates.ts';
import type { FlagValues } from '../model/flag.ts';
import type { UserInfo } from '../model/user-info.ts';
import { nodeDigest } from '../node/digest.ts';
import { rbacAuthorizer } from '../rbac/authorize.ts';
import { fileRoles, manifestProblemText, type RoleFile } from '../rbac/file-roles.ts';
import { rolePolicy } from '../rbac/role-policy.ts';
import { forbidden } from '../runtime/forbidden.ts';
import { type ActingAnswer, whoamiAs } from '../simulate/whoami-as.ts';
import { fail } from './command.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Io } from './io.ts';
import type { Paint } from './paint.ts';
import { targetSettings } from './target-settings.ts';
import { acceptedText } from './whoami-text.ts';

export interface Acting extends ActingAnswer {
  readonly caller: UserInfo;
  readonly wanted: UserInfo;
  /** The refusal that a client would read. */
  readonly refusal: string | undefined;
  /** No manifest was given: only bootstrap roles hold. */
  readonly bare: boolean;
}

export const actAs = async (
  caller: UserInfo,
  values: FlagValues,
  io: Io,
): Promise<Acting | ExitCode> => {
  const files: RoleFile[] = [];
  for (const path of values.list('rbac-file')) {
    // In their order: standard input can be read once.
    const file = await io.readText(path);
    if (file.kind === 'failure') return fail(io, file.reason);
    files.push({ name: path, text: file.text });
  }
  const domain = kubernetesDomain;
  const roles = fileRoles(files, { beside: 'nothing', domain });
  if (roles.kind === 'problems') {
    return fail(io, roles.problems.map(manifestProblemText).join('\n'));
  }
  const wanted = wantedUser(values);
  const target = targetSettings(values);
  const gates = target.kind === 'settings' ? target.settings.featureGates : undefined;
  const answer = await whoamiAs(caller, wanted, {
    authorizer: rbacAuthorizer(rolePolicy([roles.view], { domain })),
    constrained: gates?.get(constrainedImpersonationGate) ?? false,
    domain,
    digest: nodeDigest(),
  });
  const { outcome } = answer;
  const refusal =
    outcome.kind === 'denied'
      ? forbidden({ user: caller, ...outcome.asked }, outcome.reason).message
      : undefined;
  return { ...answer, caller, wanted, refusal, bare: files.length === 0 };
};

/** As the header fields bring it to the server: keys in lower case. */
const wantedUser = (values: FlagValues): UserInfo => {
  const pairs = values.list('as-user-extra').map((text) => {
    const end = text.indexOf('=');
    return { key: text.slice(0, end).toLowerCase(), value: text.slice(end + 1) };
  });
  const extra = Map.groupBy(pairs, ({ key }) => key);
  return {
    username: values.text('as'),
    uid: values.text('as-uid'),
    groups: values.list('as-group'),
    extra: new Map([...extra].map(([key, some]) => [key, some.map(({ value }) => value)])),
  };
};

export const actingText = (acting: Acting, paint: Paint): string => {
  const { outcome, questions, refusal, bare, wanted } = acting;
  const lines = questions.map(
    ({ asked, allowed, reason }) =>
      `  ${allowed ? paint('green', 'yes') : paint('red', 'no ')}  ${printable(questionText(asked))}${reason === '' ? '' : printable(` (${reason})`)}\n`,
  );
  if (outcome.kind === 'impersonated') {
    return `${acceptedText(outcome.user, paint).replace('accepted', 'acts as')}${lines.join('')}`;
  }
  const hint = bare
    ? `${paint('dim', 'No roles were given with --rbac-file: only the bootstrap roles hold.')}\n`
    : '';
  const head = `${paint('red', 'may not act')} as ${printable(JSON.stringify(wanted.username))}: the request would get 403\n`;
  return `${head}  ${printable(refusal ?? '')}\n${lines.join('')}${hint}`;
};

/** `impersonate users "jane"` */
const questionText = ({ resource, nonResource }: ActingAnswer['questions'][number]['asked']) => {
  if (resource === undefined) return `${nonResource?.verb} ${nonResource?.path}`;
  const { verb, group, subresource = '', name = '', namespace = '' } = resource;
  const kind = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
  return [
    verb,
    group === '' ? kind : `${kind}.${group}`,
    ...(name === '' ? [] : [JSON.stringify(name)]),
    ...(namespace === '' ? [] : [`in ${namespace}`]),
  ].join(' ');
};

/** For `-o json` and `-o yaml`. */
export const actingData = ({ outcome, questions, refusal }: Acting): object => ({
  decision: outcome.kind === 'denied' ? 'denied' : 'allowed',
  ...(outcome.kind === 'denied'
    ? { message: refusal }
    : {
        mode: outcome.mode,
        user: { ...outcome.user, extra: Object.fromEntries(outcome.user.extra) },
      }),
  questions: questions.map(({ asked, allowed, reason }) => ({
    question: questionText(asked),
    allowed,
    ...(reason === '' ? {} : { reason }),
  })),
});
