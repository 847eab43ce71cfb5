/** Starter configuration for service accounts of an Amazon EKS cluster. */
import { serviceAccounts } from './service-accounts.ts';

export const eks = serviceAccounts({
  id: 'eks',
  title: 'Amazon EKS service accounts',
  description: 'Pods of an Amazon EKS cluster, with a prefix that keeps their names apart.',
  source: 'https://docs.aws.amazon.com/eks/latest/userguide/iam-roles-for-service-accounts.html',
  about: [
    'Pods of an Amazon EKS cluster. EKS publishes the discovery document of each cluster.',
    'Pods with an IAM role have a token for sts.amazonaws.com. Each recipient can get credentials of the role:',
    'accept only tokens of a volume that names an audience of this cluster.',
  ],
  cluster: 'the EKS cluster',
  issuer: 'https://oidc.eks.us-west-2.amazonaws.com/id/EXAMPLED539D4633E53DE1B71EXAMPLE',
  issuerHint: 'aws eks describe-cluster --name CLUSTER --query cluster.identity.oidc.issuer',
  sentByDefault: new Map([['audience', 'sts.amazonaws.com']]),
  name: 'eks',
  node: 'ip-10-0-12-34.us-west-2.compute.internal',
});
