/** Fetches the public keys of an issuer as the API server would. It uses the network. */
import { fetchDocument } from '../../authenticators/jwt/issuer-discovery.ts';
import { fetchKeySet } from '../../authenticators/jwt/issuer-keys.ts';
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import { maxIssuerBodyBytes, maxKeysInSet } from '../../model/limits.ts';
import type { Ports } from '../../ports/ports.ts';

export type IssuerKeySet =
  /** The key set as sent by the issuer. */
  | { readonly kind: 'keys'; readonly text: string }
  | { readonly kind: 'failed'; readonly error: string };

/** Fetches the keys of a live issuer over the network, using its discovery document. */
export const issuerKeySet = async (
  { issuerUrl, discoveryUrl, certificateAuthority }: JwtNode,
  { ports, signal }: { readonly ports: Ports; readonly signal: AbortSignal },
): Promise<IssuerKeySet> => {
  const requestOptions = { certificateAuthority, maxBodyBytes: maxIssuerBodyBytes, ports };
  const document = await fetchDocument(
    { ...requestOptions, issuerUrl, discoveryUrl, needsJwksUrl: true },
    signal,
  );
  if (document.kind === 'failed') return { kind: 'failed', error: document.error };
  const { signatures } = ports;
  const answer = await fetchKeySet(
    {
      ...requestOptions,
      jwksUrl: document.jwksUrl,
      httpsOnly: true,
      keySet: { signatures, rejectEncryptionKeys: true, maxKeys: maxKeysInSet },
    },
    signal,
  );
  return answer.kind === 'failed'
    ? { kind: 'failed', error: answer.error }
    : { kind: 'keys', text: answer.body };
};
