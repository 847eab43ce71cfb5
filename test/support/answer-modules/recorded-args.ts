/**
 * Selects the arguments that the recorded flag set reads, which has the authentication flags only.
 */

import { serveFlags } from '../../../engine/src/server/flags/serve-flags.ts';
import { moduleFlags } from '../../../engine/src/server/modules/settings.ts';

const signing = 'service-account-signing-key-file';

/** The authentication flags of kube-apiserver; the signing flag belongs to another flag set. */
export const recordedFlags = serveFlags.filter(
  ({ name }) =>
    name !== signing &&
    (name.startsWith('oidc-') ||
      ['anonymous-auth', 'api-audiences', 'authentication-config'].includes(name) ||
      moduleFlags.some((row) => row.name === name)),
);

export interface RecordedArgs {
  /** Returns the arguments up to the first unknown flag. */
  readonly args: readonly string[];
  /** Returns the error for that flag. */
  readonly unknown?: string;
}

export const recordedArgs = (recorded: readonly string[]): RecordedArgs => {
  const args: string[] = [];
  for (let place = 0; place < recorded.length; place += 1) {
    const arg = recorded[place] ?? '';
    if (arg === '--') break;
    if (arg === '-' || !arg.startsWith('-')) continue;
    args.push(arg);
    const { name, inline } = /^--(?<name>[^-=][^=]*)(?<inline>=)?/.exec(arg)?.groups ?? {};
    if (name === undefined || name === 'help') continue;
    const flag = recordedFlags.find((row) => row.name === name);
    if (flag === undefined) return { args: args.slice(0, -1), unknown: `unknown flag: --${name}` };
    const value = recorded[place + 1];
    if (inline !== undefined || flag.type === 'bool' || value === undefined) continue;
    args.push(value);
    place += 1;
  }
  return { args };
};

/** Stacks without an issuer were recorded as servers without service accounts. */
export const withoutAccounts = (recorded: readonly string[]): readonly string[] => {
  const isOfAccounts = (arg = ''): boolean => arg.startsWith('--service-account-');
  return recorded.filter(
    (arg, place) =>
      !isOfAccounts(arg) &&
      !(
        isOfAccounts(recorded[place - 1]) &&
        !recorded[place - 1]?.includes('=') &&
        !arg.startsWith('-')
      ),
  );
};
