/** The key that signs tokens of service accounts, and what an issuer of them knows. */
import type { ServiceAccountSettings } from '../../authenticators/service-account-token/index.ts';
import { nodeSigning } from '../../node/signing.ts';
import type { TokenSigner } from '../../ports/signing.ts';
import type { AccountKeys } from '../../signed-token/account-keys.ts';
import { readModuleFile } from '../modules/module-file.ts';

export interface TokenIssuing {
  readonly settings: ServiceAccountSettings;
  /** Absent where nobody can make tokens. */
  readonly signer: TokenSigner | undefined;
  /** Those that are published. */
  readonly keys: AccountKeys;
}

export type SignerLoadResult =
  | { readonly kind: 'loaded'; readonly signer: TokenSigner | undefined }
  /** In the real server's words. */
  | { readonly kind: 'failed'; readonly error: string };

/** Reads the file of `--service-account-signing-key-file`. */
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
