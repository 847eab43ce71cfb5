/**
 * `authgraph/providers` and `authgraph/newConfiguration`: starter configurations for known
 * providers.
 */
import { newConfiguration, providers } from '@authgraph/engine/language';
import { memberOf } from '../member-of.ts';
import {
  type NewConfiguration,
  newConfigurationRequest,
  type ProviderRow,
  providersRequest,
} from '../protocol.ts';
import type { Feature } from './feature.ts';

/** Lifetime of the sample's token; most issuers use an hour. */
const lifeSeconds = 3600;

export const newConfigurations: Feature = {
  capabilities: {},
  register(connection, handlers) {
    const rows: readonly ProviderRow[] = providers.map(({ id, title, description }) => ({
      id,
      title,
      description,
    }));
    connection.onRequest(
      providersRequest,
      handlers.guarded(() => rows, []),
    );
    connection.onRequest(
      newConfigurationRequest,
      handlers.guarded<unknown, NewConfiguration>(
        (params) => {
          const provider = providers.find(({ id }) => id === memberOf(params, 'provider'));
          if (provider === undefined) return { files: [] };
          const issued = Math.floor(handlers.workspace.now() / 1000);
          return { files: newConfiguration(provider, { issued, expires: issued + lifeSeconds }) };
        },
        { files: [] },
      ),
    );
  },
};
