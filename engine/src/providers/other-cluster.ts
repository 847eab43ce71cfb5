/** Starter configuration for service accounts of another cluster. */
import type { Provider } from './provider.ts';

export const otherCluster: Provider = {
  id: 'other-cluster',
  title: 'Service accounts of another cluster',
  description: 'Pods of another cluster, with a prefix that keeps their names apart.',
  source:
    'https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-tokens',
  about: [
    'Pods of another cluster. Their names must not be confused with those of this one, so all get a prefix.',
    'The other cluster must publish its discovery document where this API server can read it.',
  ],
  authenticator: `- issuer:
    # The issuer in \`kubectl get --raw /.well-known/openid-configuration\` of the other cluster.
    url: https://oidc.blue.example.com
    # The audience of the token, which the volume of the pod names.
    audiences:
    - https://green.example.com
  claimValidationRules:
  - expression: claims[?'kubernetes.io'].namespace.orValue('') in ['delivery', 'monitoring']
    message: only pods of the namespaces delivery and monitoring
  claimMappings:
    username:
      # blue:delivery:deployer
      expression: >-
        'blue:' + claims['kubernetes.io'].namespace + ':' + claims['kubernetes.io'].serviceaccount.name
    groups:
      expression: "['blue:' + claims['kubernetes.io'].namespace]"
    uid:
      expression: claims['kubernetes.io'].serviceaccount.uid
    extra:
    - key: example.com/pod
      valueExpression: claims['kubernetes.io'].?pod.name.orValue('')
`,
  sample: 'deployer',
  claims: ({ issued, expires }) => ({
    aud: ['https://green.example.com'],
    exp: expires,
    iat: issued,
    iss: 'https://oidc.blue.example.com',
    jti: 'ea28ed49-2e11-4280-9ec5-bc3d1d84661a',
    'kubernetes.io': {
      namespace: 'delivery',
      node: { name: 'node-1', uid: '58456cb0-dd00-45ed-b797-5578fdceaced' },
      pod: { name: 'deployer-69cbfb9798-jv9gn', uid: '778a530c-b3f4-47c0-9cd5-ab018fb64f33' },
      serviceaccount: { name: 'deployer', uid: 'a087d5a0-e1dd-43ec-93ac-f13d89cd13af' },
      warnafter: issued + 3607,
    },
    nbf: issued,
    sub: 'system:serviceaccount:delivery:deployer',
  }),
};
