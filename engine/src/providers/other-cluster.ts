/** Starter configuration for service accounts of another cluster. */
import { celString } from './entry-writer.ts';
import type { Provider } from './provider.ts';
import { extraDomain, itemsOf } from './settings.ts';

const namespaceRule = (namespaces: string): string =>
  `claims[?'kubernetes.io'].namespace.orValue('') in [${itemsOf(namespaces).map(celString).join(', ')}]`;

export const otherCluster: Provider = {
  id: 'other-cluster',
  title: 'Service accounts of another cluster',
  description: 'Pods of another cluster, with a prefix that keeps their names apart.',
  source:
    'https://kubernetes.io/docs/reference/access-authn-authz/service-accounts-admin/#bound-service-account-tokens',
  about: [
    'Pods of another cluster. Their names must not be confused with those of this one, so all get a prefix.',
    'The other cluster must publish its discovery document where this kube-apiserver can read it.',
  ],
  settings: [
    {
      key: 'issuer',
      doc: 'the issuer of the other cluster',
      form: 'url',
      example: 'https://oidc.blue.example.com',
    },
    {
      key: 'audience',
      doc: 'the audience of the token, which the volume of the pod names',
      form: 'text',
      example: 'https://green.example.com',
    },
    {
      key: 'namespaces',
      doc: 'the namespaces of the other cluster whose pods are accepted',
      form: 'list',
      example: 'delivery,monitoring',
    },
    {
      key: 'name',
      doc: 'a name of the other cluster, as a prefix of its users',
      form: 'segment',
      example: 'blue',
    },
    extraDomain,
  ],
  authenticator: (write) => `- issuer:
    # The issuer in \`kubectl get --raw /.well-known/openid-configuration\` of the other cluster.
    url: ${write.scalar('issuer')}
    audiences:
    - ${write.scalar('audience')}
  claimValidationRules:
  - expression: ${write.text(namespaceRule(write.value('namespaces')), 'namespaces')}
    message: the namespace of the pod is not accepted
  claimMappings:
    username:
      # ${write.value('name')}:delivery:deployer
      expression: >-${write.mark('name')}
        '${write.value('name')}:' + claims['kubernetes.io'].namespace + ':' + claims['kubernetes.io'].serviceaccount.name
    groups:
      expression: ${write.text(`['${write.value('name')}:' + claims['kubernetes.io'].namespace]`, 'name')}
    uid:
      expression: claims['kubernetes.io'].serviceaccount.uid
    extra:
    - key: ${write.text(`${write.value('extra-domain')}/pod`, 'extra-domain')}
      valueExpression: claims['kubernetes.io'].?pod.name.orValue('')
`,
  sample: 'deployer',
  claims: ({ issued, expires }, value) => ({
    aud: [value('audience')],
    exp: expires,
    iat: issued,
    iss: value('issuer'),
    jti: 'ea28ed49-2e11-4280-9ec5-bc3d1d84661a',
    'kubernetes.io': {
      namespace: itemsOf(value('namespaces'))[0],
      node: { name: 'node-1', uid: '58456cb0-dd00-45ed-b797-5578fdceaced' },
      pod: { name: 'deployer-69cbfb9798-jv9gn', uid: '778a530c-b3f4-47c0-9cd5-ab018fb64f33' },
      serviceaccount: { name: 'deployer', uid: 'a087d5a0-e1dd-43ec-93ac-f13d89cd13af' },
      warnafter: issued + 3607,
    },
    nbf: issued,
    sub: `system:serviceaccount:${itemsOf(value('namespaces'))[0]}:deployer`,
  }),
};
