/** Generates a sample to run for each provider: its configuration and claims. */
import { newConfiguration } from '../../engine/src/providers/new-configuration.ts';
import { providers } from '../../engine/src/providers/registry.ts';

/** An expiry in the distant future, so that results do not depend on the day. */
const times = { issued: 1763700000, expires: 4102444800 };

export const sampleFiles: readonly (readonly [string, () => string])[] = providers.flatMap(
  (provider) => {
    const names = { configuration: `${provider.id}.yaml`, claims: `${provider.id}.claims.json` };
    // The examples are the values of the sample, so no line is marked as one to edit.
    const set = new Map(provider.settings.map(({ key, example }) => [key, example]));
    return newConfiguration(provider, times, { names, set }).map(
      ({ name, text }) => [`samples/jwt/${name}`, () => text] as const,
    );
  },
);
