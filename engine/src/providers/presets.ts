/** The presets of test files: the claims of the sample of each provider. */
import { providers } from './registry.ts';
import { valuesOf } from './settings.ts';

const byId = new Map(providers.map((provider) => [provider.id, provider]));

export const presetNames: readonly string[] = [...byId.keys()];

/** Returns the claims of a token that is issued at a time in milliseconds, valid for one hour. */
export const presetClaims = (name: string, issuedAt: number): object | undefined => {
  const provider = byId.get(name);
  const issued = Math.floor(issuedAt / 1000);
  return provider?.claims(
    { issued, expires: issued + 3600 },
    valuesOf(provider.settings, provider.sentByDefault ?? new Map()),
  );
};
