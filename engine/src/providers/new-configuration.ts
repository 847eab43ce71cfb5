/** Files for a new configuration: a starter configuration, and a sample token that it accepts. */
import type { Provider, TokenTimes } from './provider.ts';

export interface NewFile {
  readonly name: string;
  readonly text: string;
}

export interface NewFileNames {
  readonly configuration: string;
  readonly claims: string;
}

const beginning =
  'apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n';

/** Returns the default file names. */
const defaultFileNames = ({ sample }: Provider): NewFileNames => ({
  configuration: 'authentication.yaml',
  claims: `${sample}.claims.json`,
});

/** Returns the files, the configuration first. Both end with a newline. */
export const newConfiguration = (
  provider: Provider,
  times: TokenTimes,
  names: NewFileNames = defaultFileNames(provider),
): readonly NewFile[] => {
  const headerLines = [
    ...provider.about,
    `Claims: ${provider.source}`,
    `Try it: authgraph whoami --config ${names.configuration} --claims ${names.claims}`,
  ];
  return [
    {
      name: names.configuration,
      text: `${headerLines.map((line) => `# ${line}\n`).join('')}${beginning}${provider.authenticator}`,
    },
    { name: names.claims, text: `${JSON.stringify(provider.claims(times), undefined, 2)}\n` },
  ];
};
