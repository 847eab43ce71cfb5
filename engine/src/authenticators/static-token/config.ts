/** The flag of the module. */
import type { FlagProblem, FlagRow, FlagValues } from '../../flags/flag.ts';

export interface StaticTokenSettings {
  /** Path of the file; `undefined` where there is none and the module is not asked. */
  readonly file: string | undefined;
}

export const flags: readonly FlagRow[] = [
  {
    name: 'token-auth-file',
    group: 'Static tokens',
    type: 'string',
    placeholder: 'FILE',
    default: '',
    doc: 'CSV file of tokens: token, user name, user UID and, optionally, groups. Read once, at the start.',
  },
];

export const readStaticToken = (values: FlagValues): StaticTokenSettings => {
  const file = values.string('token-auth-file');
  return { file: file === '' ? undefined : file };
};

/** Whether the file is there and can be read shows when it is. */
export const validateStaticToken = (_settings: StaticTokenSettings): readonly FlagProblem[] => [];

/** Files that hold secrets: nobody but their owner should be able to read them. */
export const secretFilesOfStaticToken = ({ file }: StaticTokenSettings): readonly string[] =>
  file === undefined ? [] : [file];
