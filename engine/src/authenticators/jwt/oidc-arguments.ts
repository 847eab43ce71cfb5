/** The `--oidc-*` flags as arguments, such as those of kube-apiserver in a file of kubeadm. */
import type { FlagProblem, FlagValues } from '../../flags/flag.ts';
import { flagRow } from '../../flags/flag-form.ts';
import { parseFlags } from '../../flags/parse-flags.ts';
import { flags, type OidcSettings, readOidc } from './config.ts';

/** A flag with its value. */
export interface OidcArgument {
  /** Name without dashes: `oidc-issuer-url`. */
  readonly name: string;
  readonly value: string;
}

export interface OidcArguments {
  readonly values: FlagValues;
  /** Present if an issuer and a client ID are set. */
  readonly settings: OidcSettings | undefined;
  readonly problems: readonly FlagProblem[];
}

/** The problem of an issuer without a client ID, or the reverse. */
export const incompleteOidc: FlagProblem = {
  message:
    'oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are set',
  help: 'Set both, or none of the --oidc-* flags.',
};

/** The problem of flags in addition to a file. */
export const oidcAndFile: FlagProblem = {
  message: 'authentication-config file and oidc-* flags are mutually exclusive',
  help: 'Add the issuer to the jwt section of the file and remove the --oidc-* flags.',
};

/**
 * Parses the arguments as kube-apiserver does. Flags of other names are ignored: programs around
 * kube-apiserver have `--oidc-*` flags of their own.
 */
export const readOidcArguments = (args: readonly OidcArgument[]): OidcArguments => {
  const known = args.filter(({ name }) => flags.some((row) => row.name === name));
  const { values, problems } = parseFlags(
    [...flags, configurationRow],
    known.map(({ name, value }) => `--${name}=${value}`),
  );
  return { values, settings: readOidc(values), problems };
};

/** `readOidc` reads this flag; here it is always empty. */
const configurationRow = flagRow({ name: 'authentication-config', group: '', doc: '' });
