/** Files for a new configuration: a starter configuration, and a sample token that it accepts. */
import { changeMark } from './change-mark.ts';
import { entryWriter, markOf } from './entry-writer.ts';
import type { Provider, TokenTimes } from './provider.ts';
import { type ProviderSetting, valuesOf } from './settings.ts';

export interface NewFile {
  readonly name: string;
  readonly text: string;
}

export interface NewFileNames {
  readonly configuration: string;
  readonly claims: string;
}

interface NewConfigurationOptions {
  /** The names of the files, for the command in the header; `none` omits the command. */
  readonly names?: NewFileNames | 'none';
  /** Values of settings, which the caller has validated; other settings have their examples. */
  readonly set?: ReadonlyMap<string, string>;
}

const beginning =
  'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n';

/** Returns the default file names. */
export const defaultFileNames = ({ sample }: Pick<Provider, 'sample'>): NewFileNames => ({
  configuration: 'authentication.yaml',
  claims: `${sample}.claims.json`,
});

/** Returns the files, the configuration first. Both end with a newline. */
export const newConfiguration = (
  provider: Provider,
  times: TokenTimes,
  { names: wanted, set = new Map() }: NewConfigurationOptions = {},
): readonly NewFile[] => {
  const { settings } = provider;
  const names = typeof wanted === 'object' ? wanted : defaultFileNames(provider);
  const values = valuesOf(settings, set);
  const headerLines = [
    ...provider.about,
    `Claims: ${provider.source}`,
    ...(wanted === 'none'
      ? []
      : [`Try it: authgraph whoami ${names.configuration} --claims ${names.claims}`]),
  ];
  const header = headerLines.map((line) => `# ${line}\n`).join('');
  const entry = provider.authenticator(entryWriter(settings, values, set));
  return [
    { name: names.configuration, text: `${header}${beginning}${entry}` },
    {
      name: names.claims,
      text: `${JSON.stringify(provider.claims(times, values), undefined, 2)}\n`,
    },
  ];
};

/** A setting whose example must be replaced, and where. */
export interface ValueToEdit {
  readonly setting: ProviderSetting;
  /** Line numbers in the configuration, from 1. */
  readonly lines: readonly number[];
}

/** Returns the settings whose values are marked in a new configuration. */
export const valuesToEdit = (
  { settings }: Pick<Provider, 'settings'>,
  text: string,
): readonly ValueToEdit[] => {
  const marks = text.split('\n').map((line) => line.split(changeMark, 2)[1] ?? '');
  return settings
    .map((setting) => ({
      setting,
      lines: marks.flatMap((mark, at) => (mark.includes(` ${markOf(setting)}`) ? [at + 1] : [])),
    }))
    .filter(({ lines }) => lines.length > 0);
};
