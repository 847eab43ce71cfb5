/** Configurations to begin with: which providers there are, and the files of one. */
import { newConfiguration, providers } from '@authgraph/engine/language';
import {
  type NewConfiguration,
  newConfigurationRequest,
  type ProviderRow,
  providersRequest,
} from '../protocol.ts';
import type { Feature } from './feature.ts';

const lifeSeconds = 3600;

export const newConfigurations: Feature = {
  capabilities: {},
  register(connection, answering) {
    const rows: readonly ProviderRow[] = providers.map(({ id, title, description }) => ({
      id,
      title,
      description,
    }));
    connection.onRequest(
      providersRequest,
      answering.guarded(() => rows, []),
    );
    connection.onRequest(
      newConfigurationRequest,
      answering.guarded<unknown, NewConfiguration>(
        (params) => {
          const provider = providers.find(({ id }) => id === providerOf(params));
          if (provider === undefined) return { files: [] };
          const issued = Math.floor(answering.workspace.now() / 1000);
          return { files: newConfiguration(provider, { issued, expires: issued + lifeSeconds }) };
        },
        { files: [] },
      ),
    );
  },
};

const providerOf = (params: unknown): unknown =>
  typeof params === 'object' && params !== null && 'provider' in params
    ? params.provider
    : undefined;
