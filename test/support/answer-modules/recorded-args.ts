/** Arguments as the recorded flags read them: those of authentication alone, between words that nobody reads. */

import { serveFlags } from '../../../engine/src/server/flags/serve-flags.ts';
import { moduleFlags } from '../../../engine/src/server/modules/settings.ts';

const signing = 'service-account-signing-key-file';

/** Those of the real server's authentication; that of signing belongs to another part of it. */
export const recordedFlags = serveFlags.filter(
  ({ name }) =>
    name !== signing &&
    (name.startsWith('oidc-') ||
      ['anonymous-auth', 'api-audiences', 'authentication-config'].includes(name) ||
      moduleFlags.some((row) => row.name === name)),
);

export interface RecordedArgs {
  /** Up to the flag that is not known. */
  readonly args: readonly string[];
  /** What is said of that flag. */
  readonly unknown?: string;
}

export const recordedArgs = (given: readonly string[]): RecordedArgs => {
  const args: string[] = [];
  for (let place = 0; place < given.length; place += 1) {
    const arg = given[place] ?? '';
    if (arg === '--') break;
    if (arg === '-' || !arg.startsWith('-')) continue;
    args.push(arg);
    const { name, inline } = /^--(?<name>[^-=][^=]*)(?<inline>=)?/.exec(arg)?.groups ?? {};
    if (name === undefined || name === 'help') continue;
    const flag = recordedFlags.find((row) => row.name === name);
    if (flag === undefined) return { args: args.slice(0, -1), unknown: `unknown flag: --${name}` };
    const value = given[place + 1];
    if (inline !== undefined || flag.type === 'bool' || value === undefined) continue;
    args.push(value);
    place += 1;
  }
  return { args };
};

/** Stacks without an issuer were recorded as servers that know nothing of service accounts. */
export const withoutAccounts = (given: readonly string[]): readonly string[] => {
  const isOfAccounts = (arg = ''): boolean => arg.startsWith('--service-account-');
  return given.filter(
    (arg, place) =>
      !isOfAccounts(arg) &&
      !(isOfAccounts(given[place - 1]) && !given[place - 1]?.includes('=') && !arg.startsWith('-')),
  );
};
