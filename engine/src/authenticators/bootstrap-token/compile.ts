/** Compiles `--enable-bootstrap-token-auth` to a node. */
import { bootstrapSecretTypes } from '../../model/api-domain.ts';
import type { ObjectView } from '../../ports/object-view.ts';
import { bootstrapNamespace } from '../../resources/bootstrap-secret.ts';
import type { BootstrapTokenSettings } from './config.ts';
import type { BootstrapTokenNode } from './node.ts';

/** Runtime data that is not part of the node. */
export interface BootstrapTokenMaterial {
  /** The view in which Secrets are looked up. */
  readonly objects: ObjectView;
}

/** Compiles the settings; returns `undefined` if the authenticator is disabled. */
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
