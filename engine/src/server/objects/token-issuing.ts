/** The signing key of service account tokens and the settings of their issuer. */
import type { ServiceAccountSettings } from '../../authenticators/service-account-token/config.ts';
import { nodeSigning } from '../../node/signing.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import type { AccountKeys } from '../../signed-token/account-keys.ts';
import { readModuleFile } from '../modules/module-file.ts';

export interface TokenIssuing {
  readonly settings: ServiceAccountSettings;
  /** Absent if the server cannot sign tokens. */
  readonly signer: TokenSigner | undefined;
  /** The keys published in the key set of the issuer. */
  readonly keys: AccountKeys;
}

export type SignerLoadResult =
  | { readonly kind: 'loaded'; readonly signer: TokenSigner | undefined }
  /** The message is kube-apiserver's. */
  | { readonly kind: 'failed'; readonly error: string };

/** Reads the private key of `--service-account-signing-key-file`. */
export const loadSigner = async (settings: ServiceAccountSettings): Promise<SignerLoadResult> => {
  const { signingKeyFile: file } = settings;
  if (file === '') return { kind: 'loaded', signer: undefined };
  const reading = await readModuleFile(file);
  if (reading.kind === 'unreadable') return parseFailure(reading.reason);
  const read = nodeSigning().readSigner(new TextDecoder('latin1').decode(reading.bytes));
  switch (read.kind) {
    case 'signer':
      return { kind: 'loaded', signer: read.signer };
    case 'unreadable':
      return parseFailure(`error reading private key file ${file}: ${read.error}`);
    case 'unfit':
      return { kind: 'failed', error: `failed to build token generator: ${read.error}` };
  }
};

const parseFailure = (reason: string): SignerLoadResult => ({
  kind: 'failed',
  error: `failed to parse service-account-issuer-key-file: ${reason}`,
});
