/** The flags of serve -> what is compiled, and how. */
import {
  type CompileSettings,
  emptyConfigurationText,
  oidcConfigurationText,
  settingsFor,
  signingAlgorithmError,
} from '../compile/settings.ts';
import type { FileReport } from '../diagnostics/render.ts';
import { readBytes } from '../documents/read-bytes.ts';
import { readSnapshot } from '../node/files.ts';
import type { OidcOptions, ServeOptions } from '../server/options.ts';
import { maxConfigurationFileBytes } from '../server/reload.ts';
import type { ServingOptions } from '../server/serving.ts';
import { configurationDomain } from './configuration-domain.ts';
import type { Io } from './io.ts';
import { loadText, reportOf } from './load-configuration.ts';

export type ServedConfiguration =
  | {
      readonly kind: 'configuration';
      readonly source: ServingOptions['configuration'];
      readonly settings: CompileSettings;
    }
  | { readonly kind: 'problem'; readonly message: string; readonly help: string };

export const servedConfiguration = async (
  options: ServeOptions,
  io: Io,
): Promise<ServedConfiguration> => {
  const { authenticationConfig, oidc } = options;
  const apiDomain = options.apiDomain ?? (await statedDomain(authenticationConfig));
  const settings: CompileSettings = {
    ...settingsFor(options.targetRelease),
    featureGates: options.featureGates,
    anonymousAuth: options.anonymousAuth,
    apiDomain,
    disallowedIssuers: options.modules.serviceAccounts.issuers,
    // An empty list is none given: OpenID Connect's own default.
    signingAlgorithms: oidc?.signingAlgorithms.length === 0 ? ['RS256'] : oidc?.signingAlgorithms,
  };
  const configuration = (source: ServingOptions['configuration']): ServedConfiguration => ({
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
      text: emptyConfigurationText(),
    });
  const algorithm = signingAlgorithmError(oidc.signingAlgorithms);
  if (algorithm !== undefined)
    return {
      kind: 'problem',
      message: algorithm,
      help: 'Use RS256, RS384, RS512, ES256, ES384, ES512, PS256, PS384 or PS512.',
    };
  const roots = await rootsOf(oidc, io);
  if (roots.kind === 'failure') return { kind: 'problem', message: roots.reason, help: '' };
  const text = oidcConfigurationText({ ...oidc, certificateAuthority: roots.text });
  return configuration({ kind: 'text', name: 'oidc-flags', text });
};

/**
 * What is wrong with the file, for a start that its flags forbid already: both are told in one run.
 * `undefined` where nothing is, or the file can't be read.
 */
export const servedFindings = async (
  options: ServeOptions,
  io: Io,
): Promise<FileReport | undefined> => {
  const path = options.authenticationConfig;
  const served = await servedConfiguration(options, io);
  if (path === undefined || served.kind === 'problem') return undefined;
  const reading = await readSnapshot(path, { maxBytes: maxConfigurationFileBytes });
  if (reading.kind !== 'read') return undefined;
  const { text } = readBytes(reading.bytes);
  const loaded = await loadText(path, text, { settings: served.settings, limits: 'refuse' });
  if (loaded.kind !== 'compiled') return undefined;
  const report = reportOf(loaded);
  return report.diagnostics.some(({ severity }) => severity === 'error') ? report : undefined;
};

/** A file that can't be read is told of when it is loaded. */
const statedDomain = async (path: string | undefined): Promise<string | undefined> => {
  if (path === undefined) return undefined;
  const reading = await readSnapshot(path, { maxBytes: maxConfigurationFileBytes });
  return reading.kind === 'read' ? configurationDomain(readBytes(reading.bytes).text) : undefined;
};

const rootsOf = async (
  { caFile }: OidcOptions,
  io: Io,
): Promise<
  | { readonly kind: 'text'; readonly text: string | undefined }
  | { readonly kind: 'failure'; readonly reason: string }
> => (caFile === undefined ? { kind: 'text', text: undefined } : io.readText(caFile));
