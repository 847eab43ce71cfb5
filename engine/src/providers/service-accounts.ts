/** What the providers have in common whose users are the service accounts of a cluster. */
import { celString } from './entry-writer.ts';
import type { Provider } from './provider.ts';
import { extraDomain, itemsOf } from './settings.ts';

/** What differs between the issuers of service account tokens. */
export interface ServiceAccountIssuer
  extends Pick<Provider, 'id' | 'title' | 'description' | 'source' | 'about' | 'sentByDefault'> {
  /** The cluster, in documentation of settings: `the other cluster`. */
  readonly cluster: string;
  readonly issuer: string;
  /** A comment about the place that shows the issuer of a cluster. */
  readonly issuerHint: string;
  /** The prefix of usernames. */
  readonly name: string;
  /** The name of the node in the sample. */
  readonly node: string;
}

/** Returns the provider; the claims are those of a token that is bound to a pod. */
export const serviceAccounts = ({
  cluster,
  issuer,
  issuerHint,
  name,
  node,
  ...provider
}: ServiceAccountIssuer): Provider => ({
  ...provider,
  settings: [
    { key: 'issuer', doc: `the issuer of ${cluster}`, form: 'url', example: issuer },
    {
      key: 'audience',
      doc: 'the audience of the token, which the volume of the pod names',
      form: 'text',
      example: 'https://green.example.com',
    },
    {
      key: 'namespaces',
      doc: `the namespaces of ${cluster} whose pods are accepted`,
      form: 'list',
      example: 'delivery,monitoring',
    },
    {
      key: 'name',
      doc: `a name of ${cluster}, as a prefix of its users`,
      form: 'segment',
      example: name,
    },
    extraDomain,
  ],
  authenticator: (write) => `- issuer:
    # ${issuerHint}
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
      node: { name: node, uid: '58456cb0-dd00-45ed-b797-5578fdceaced' },
      pod: { name: 'deployer-69cbfb9798-jv9gn', uid: '778a530c-b3f4-47c0-9cd5-ab018fb64f33' },
      serviceaccount: { name: 'deployer', uid: 'a087d5a0-e1dd-43ec-93ac-f13d89cd13af' },
      warnafter: issued + 3607,
    },
    nbf: issued,
    sub: `system:serviceaccount:${itemsOf(value('namespaces'))[0]}:deployer`,
  }),
});

const namespaceRule = (namespaces: string): string =>
  `claims[?'kubernetes.io'].namespace.orValue('') in [${itemsOf(namespaces).map(celString).join(', ')}]`;
