/**
 * Applies the flags of a command to the current context of a kubeconfig, by the rules of client-go.
 */
import type { Kubeconfig } from '../../documents/kubeconfig/kubeconfig.ts';
import { goQuote } from '../../formats/go-quote.ts';
import type { DecodedValue, Fields } from '../../formats/go-struct/decode.ts';
import { mapField, stringField } from '../../formats/go-struct/fields.ts';
import { reveal, type Secret } from '../../model/secret.ts';

/** Values of flags; an empty one changes nothing. */
export interface ContextOverrides {
  readonly context: string;
  readonly cluster: string;
  readonly user: string;
  readonly server: string;
  readonly tlsServerName: string;
  readonly insecureSkipTlsVerify: boolean;
  /** Absolute path. */
  readonly certificateAuthority: string;
  /** Absolute path. */
  readonly clientCertificate: string;
  /** Absolute path. */
  readonly clientKey: string;
  readonly token?: Secret<string>;
  readonly as: string;
  readonly asUid: string;
  readonly asGroups: readonly string[];
  readonly asUserExtra: ReadonlyMap<string, readonly string[]>;
}

export type OverriddenKubeconfig =
  | { readonly kind: 'kubeconfig'; readonly kubeconfig: Kubeconfig }
  /** The message is client-go's. */
  | { readonly kind: 'error'; readonly message: string };

/** Returns a kubeconfig whose current context has the overrides. */
export const overrideContext = (
  kubeconfig: Kubeconfig,
  overrides: ContextOverrides,
): OverriddenKubeconfig => {
  const { contexts, clusters, users } = kubeconfig;
  const contextName = overrides.context === '' ? kubeconfig.currentContext : overrides.context;
  const context = contexts.get(contextName);
  if (overrides.context !== '' && context === undefined)
    return error(`context ${goQuote(overrides.context)} does not exist`);
  if (overrides.user !== '' && !users.has(overrides.user))
    return error(`auth info ${goQuote(overrides.user)} does not exist`);
  if (overrides.cluster !== '' && !clusters.has(overrides.cluster))
    return error(`cluster ${goQuote(overrides.cluster)} does not exist`);
  const clusterName = overrides.cluster || stringField(context ?? new Map(), 'cluster');
  const userName = overrides.user || stringField(context ?? new Map(), 'user');
  const cluster = overrideCluster(clusters.get(clusterName), overrides);
  // A name without a context stays an error of the kubeconfig.
  const isKnown = contextName === '' || context !== undefined;
  return {
    kind: 'kubeconfig',
    kubeconfig: {
      clusters: new Map(cluster === undefined ? [] : [[clusterName, cluster]]),
      users: new Map([[userName, overrideUser(users.get(userName) ?? new Map(), overrides)]]),
      contexts: new Map(
        isKnown
          ? [[contextName, withFields(context, { cluster: clusterName, user: userName })]]
          : [],
      ),
      currentContext: contextName,
    },
  };
};

const error = (message: string): OverriddenKubeconfig => ({ kind: 'error', message });

const overrideCluster = (
  cluster: Fields | undefined,
  { server, tlsServerName, insecureSkipTlsVerify, certificateAuthority }: ContextOverrides,
): Fields | undefined => {
  if (cluster === undefined && server === '') return undefined;
  // Either flag replaces the whole trust of the file.
  const trust =
    insecureSkipTlsVerify || certificateAuthority !== ''
      ? {
          'insecure-skip-tls-verify': insecureSkipTlsVerify,
          'certificate-authority': certificateAuthority,
          'certificate-authority-data': '',
        }
      : {};
  return withFields(cluster, {
    ...(server === '' ? {} : { server }),
    // The server name of the file belongs to the server of the file.
    ...(server === '' && tlsServerName === '' ? {} : { 'tls-server-name': tlsServerName }),
    ...trust,
  });
};

const overrideUser = (user: Fields, overrides: ContextOverrides): Fields => {
  const { clientCertificate, clientKey, token, as, asUid, asGroups, asUserExtra } = overrides;
  const extra = new Map<string, DecodedValue>([...mapField(user, 'as-user-extra'), ...asUserExtra]);
  return withFields(user, {
    ...(clientCertificate === ''
      ? {}
      : { 'client-certificate': clientCertificate, 'client-certificate-data': '' }),
    ...(clientKey === '' ? {} : { 'client-key': clientKey, 'client-key-data': '' }),
    ...(token === undefined ? {} : { token: reveal(token), tokenFile: '' }),
    ...(as === '' ? {} : { as }),
    ...(asUid === '' ? {} : { 'as-uid': asUid }),
    ...(asGroups.length === 0 ? {} : { 'as-groups': asGroups }),
    ...(extra.size === 0 ? {} : { 'as-user-extra': extra }),
  });
};

const withFields = (
  fields: Fields | undefined,
  more: Readonly<Record<string, DecodedValue>>,
): Fields => new Map([...(fields ?? []), ...Object.entries(more)]);
