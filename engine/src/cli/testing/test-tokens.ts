/** Signs the tokens of tests. The keys are created for one run and exist only in memory. */
import { secret } from '../../model/secret.ts';
import { createSigningKey, keySetOf, type SigningKey, signPayload } from '../../node/mint.ts';
import type { TestTokens } from '../../simulate/tests/decide-cases.ts';
import type { SigningAlgorithm, TestCase } from '../../simulate/tests/test-case.ts';

/** Creates the keys of the algorithms that the cases may use, on demand. */
export const createTestTokens = (cases: readonly TestCase[]): TestTokens => {
  const published = new Map<SigningAlgorithm, Promise<SigningKey>>();
  const unknown = new Map<SigningAlgorithm, Promise<SigningKey>>();
  const keyOf = (
    keys: Map<SigningAlgorithm, Promise<SigningKey>>,
    algorithm: SigningAlgorithm,
  ): Promise<SigningKey> => {
    // Both keys have one ID: a token must not be rejected for its ID alone.
    const key = keys.get(algorithm) ?? createSigningKey(algorithm, `authgraph-test-${algorithm}`);
    keys.set(algorithm, key);
    return key;
  };
  return {
    async keySet() {
      const algorithms = new Set<SigningAlgorithm>([
        'ES256',
        'RS256',
        ...cases.flatMap(algorithmsOf),
      ]);
      const keys = await Promise.all([...algorithms].map((one) => keyOf(published, one)));
      return JSON.stringify(keySetOf(keys));
    },
    async sign(payload, { algorithm, key, header }) {
      const signingKey = await keyOf(key === 'unknown' ? unknown : published, algorithm);
      return secret(await signPayload(payload, signingKey, { header }));
    },
  };
};

const algorithmsOf = ({ input }: TestCase): readonly SigningAlgorithm[] => {
  const signing =
    input.kind === 'token'
      ? input.signing
      : input.kind === 'request'
        ? input.token?.signing
        : undefined;
  return signing?.algorithm === undefined ? [] : [signing.algorithm];
};
