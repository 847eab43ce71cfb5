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
import { requestFeature } from './request-feature.ts';

/** Lifetime of the sample's token; most issuers use an hour. */
const lifeSeconds = 3600;

export const providerList = requestFeature<unknown, readonly ProviderRow[]>(
  providersRequest,
  [],
  () => providers.map(({ id, title, description }) => ({ id, title, description })),
);

export const newConfigurations = requestFeature<unknown, NewConfiguration>(
  newConfigurationRequest,
  { files: [] },
  (params, { workspace }) => {
    const provider = providers.find(({ id }) => id === memberOf(params, 'provider'));
    if (provider === undefined) return { files: [] };
    const issued = Math.floor(workspace.now() / 1000);
    return { files: newConfiguration(provider, { issued, expires: issued + lifeSeconds }) };
  },
);
