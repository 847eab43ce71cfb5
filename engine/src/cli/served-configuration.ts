/** Returns the configuration and the compiler settings for the flags of `serve`. */

import type { OidcSettings } from '../authenticators/jwt/config.ts';
import { isArtifactText, readArtifactByChecksum } from '../compile/artifact.ts';
import {
  type CompileSettings,
  emptyConfigurationText,
  oidcConfigurationText,
  settingsFor,
  signingAlgorithmError,
} from '../compile/settings.ts';
import { parseDocument } from '../documents/yaml/parse.ts';
import { readBytes } from '../documents/yaml/read-bytes.ts';
import type { FlagProblem } from '../flags/flag.ts';
import { apiDomains, configGroup } from '../model/api-domain.ts';
import { readSnapshot } from '../node/files.ts';
import { maxConfigurationFileBytes } from '../server/configuration/reload.ts';
import type { ServingOptions } from '../server/configuration/serving.ts';
import type { ServeOptions } from '../server/flags/options.ts';
import { sourceFile } from '../source/source-file.ts';
import type { Io } from './io.ts';

export type ServedConfiguration =
  | Served
  | {
      readonly kind: 'problem';
      readonly problems: readonly [FlagProblem, ...FlagProblem[]];
      /** The configuration without the problems, so that the same run can check the rest. */
      readonly rest: Served;
    };

interface Served {
  readonly kind: 'configuration';
  readonly source: ServingOptions['configuration'];
  readonly settings: CompileSettings;
}

export const servedConfiguration = async (
  options: ServeOptions,
  io: Io,
): Promise<ServedConfiguration> => {
  const { authenticationConfig, oidc } = options;
  const apiDomain = options.apiDomain ?? (await domainOfFile(authenticationConfig));
  const settings: CompileSettings = {
    ...settingsFor(options.targetRelease),
    featureGates: options.featureGates,
    anonymousAuth: options.anonymousAuth,
    apiDomain,
    disallowedIssuers: options.modules.serviceAccounts.issuers,
    // An empty list means the default of OpenID Connect.
    signingAlgorithms: oidc?.signingAlgorithms.length === 0 ? ['RS256'] : oidc?.signingAlgorithms,
  };
  const configuration = (source: ServingOptions['configuration']): Served => ({
    kind: 'configuration',
    source,
    settings,
  });
  if (authenticationConfig !== undefined)
    return configuration({ kind: 'file', path: authenticationConfig });
  if (oidc === undefined)
    return configuration({
      kind: 'text',
      name: 'no-configuration',
      text: emptyConfigurationText(options.targetRelease),
    });
  const algorithm = signingAlgorithmError(oidc.signingAlgorithms);
  const roots = await rootsOf(oidc, io);
  const certificateAuthority = roots.kind === 'text' ? roots.text : undefined;
  const text = oidcConfigurationText({ ...oidc, certificateAuthority }, options.targetRelease);
  const served = configuration({ kind: 'text', name: 'oidc-flags', text });
  const [first, ...others]: readonly FlagProblem[] = [
    ...(algorithm === undefined ? [] : [{ message: algorithm, help: algorithmHelp }]),
    ...(roots.kind === 'failure' ? [{ message: roots.reason, help: '' }] : []),
  ];
  if (first === undefined) return served;
  const rest = { ...served, settings: { ...settings, signingAlgorithms: undefined } };
  return { kind: 'problem', problems: [first, ...others], rest };
};

const algorithmHelp = 'Use RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384 or PS512.';

/** Returns the API domain of a file. An unreadable file is reported when it is loaded. */
const domainOfFile = async (path: string | undefined): Promise<string | undefined> => {
  if (path === undefined) return undefined;
  const reading = await readSnapshot(path, { maxBytes: maxConfigurationFileBytes });
  return reading.kind === 'read' ? configurationDomain(readBytes(reading.bytes).text) : undefined;
};

const rootsOf = async (
  { caFile }: OidcSettings,
  io: Io,
): Promise<
  | { readonly kind: 'text'; readonly text: string | undefined }
  | { readonly kind: 'failure'; readonly reason: string }
> => (caFile === undefined ? { kind: 'text', text: undefined } : io.readText(caFile));

/** Returns the domain; `undefined` if the text names none, which the compiler reports. */
const configurationDomain = (text: string): string | undefined => {
  if (isArtifactText(text)) {
    const reading = readArtifactByChecksum(text);
    return reading.kind === 'artifact' ? reading.artifact.graph.apiDomain : undefined;
  }
  const { data } = parseDocument(sourceFile('configuration', text));
  const apiVersion = data?.kind === 'object' ? data.byKey.get('apiVersion')?.value : undefined;
  if (apiVersion?.kind !== 'string') return undefined;
  return apiDomains.find((domain) => apiVersion.text.startsWith(`${configGroup(domain)}/`));
};
