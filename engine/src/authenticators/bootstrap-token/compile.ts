/** The setting -> node. */
import { bootstrapSecretTypes } from '../../model/api-domain.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import { bootstrapNamespace } from '../../resources/bootstrap-secret.ts';
import type { BootstrapTokenSettings } from './config.ts';
import type { BootstrapTokenNode } from './node.ts';

/** What is not in the node. */
export interface BootstrapTokenMaterial {
  /** Where the secrets are looked up. */
  readonly objects: ObjectView;
}

/** `undefined` where the module is switched off. */
export const compileBootstrapToken = (
  { enabled }: BootstrapTokenSettings,
  { apiDomain }: { readonly apiDomain: string },
): BootstrapTokenNode | undefined =>
  enabled
    ? {
        module: 'bootstrap-token',
        namespace: bootstrapNamespace,
        secretTypes: bootstrapSecretTypes(apiDomain),
      }
    : undefined;
