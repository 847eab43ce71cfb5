/**
 * Reads the flags that configure authenticators for requests without a listener. Flags of the
 * listener, the store or the network are refused: they would have no effect, or an unwanted one.
 */
import type { FlagProblem } from '../../flags/flag.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { type Release, releaseName } from '../../model/release.ts';
import { readServeOptions, type ServeOptions } from '../flags/options.ts';
import { serveFlags } from '../flags/serve-flags.ts';

/** The flags of authenticators that use no network, and of what they share. */
const offlineFlags: ReadonlySet<string> = new Set([
  'anonymous-auth',
  'api-audiences',
  'api-domain',
  'client-ca-file',
  'enable-bootstrap-token-auth',
  'feature-gates',
  'requestheader-allowed-names',
  'requestheader-client-ca-file',
  'requestheader-extra-headers-prefix',
  'requestheader-group-headers',
  'requestheader-uid-headers',
  'requestheader-username-headers',
  'service-account-extend-token-expiration',
  'service-account-issuer',
  'service-account-key-file',
  'service-account-lookup',
  'service-account-max-token-expiration',
  'token-auth-file',
]);

export type OfflineFlags =
  | { readonly kind: 'options'; readonly options: ServeOptions }
  | { readonly kind: 'problems'; readonly problems: readonly FlagProblem[] };

/** Reads flags such as `--token-auth-file=tokens.csv` for a release of kube-apiserver. */
export const readOfflineFlags = (flags: readonly string[], release: Release): OfflineFlags => {
  const { values, problems } = parseFlags(serveFlags, flags);
  if (problems.length > 0) return { kind: 'problems', problems };
  const refused = serveFlags.find(({ name }) => values.isSet(name) && !offlineFlags.has(name));
  if (refused !== undefined)
    return {
      kind: 'problems',
      problems: [
        {
          message: `--${refused.name} cannot be used in a test or a request file`,
          help: `Remove it. The flags are ${[...offlineFlags].map((name) => `--${name}`).join(', ')}.`,
        },
      ],
    };
  const reading = readServeOptions([`--target-version=${releaseName(release)}`, ...flags]);
  if (reading.kind === 'options') return reading;
  return { kind: 'problems', problems: reading.kind === 'problems' ? reading.problems : [] };
};
