/** Starter configuration for service accounts of another cluster. */
import { serviceAccounts } from './service-accounts.ts';

export const otherCluster = serviceAccounts({
  id: 'other-cluster',
  title: 'Service accounts of another cluster',
  description: 'Pods of another cluster, with a prefix that keeps their names apart.',
  source:
    'https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-tokens',
  about: [
    'Pods of another cluster. Their names must not be confused with those of this one, so all get a prefix.',
    'The other cluster must publish its discovery document where this kube-apiserver can read it.',
  ],
  cluster: 'the other cluster',
  issuer: 'https://oidc.blue.example.com',
  issuerHint:
    'The issuer in `kubectl get --raw /.well-known/openid-configuration` of the other cluster.',
  name: 'blue',
  node: 'node-1',
});
