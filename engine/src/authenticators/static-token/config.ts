/** The flag of the static token authenticator. */
import type { FlagValues } from '../../flags/flag.ts';
import { flagGroup } from '../../flags/flag-form.ts';

export interface StaticTokenSettings {
  /** Path of the file; `undefined` disables the authenticator. */
  readonly file: string | undefined;
}

export const flags = flagGroup('Static tokens', [
  {
    name: 'token-auth-file',
    placeholder: 'FILE',
    doc: 'If set, the CSV file of static tokens, with the columns token, user name, user UID and, optionally, groups. It is read once at startup.',
  },
]);

export const readStaticToken = (values: FlagValues): StaticTokenSettings => {
  const file = values.string('token-auth-file');
  return { file: file === '' ? undefined : file };
};

/** Returns the files that contain secrets and should be readable by their owner only. */
export const secretFilesOfStaticToken = ({ file }: StaticTokenSettings): readonly string[] =>
  file === undefined ? [] : [file];
