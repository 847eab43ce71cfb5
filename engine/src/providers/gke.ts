/** Starter configuration for service accounts of a Google Kubernetes Engine cluster. */
import { serviceAccounts } from './service-accounts.ts';

export const gke = serviceAccounts({
  id: 'gke',
  title: 'Google Kubernetes Engine service accounts',
  description: 'Pods of a GKE cluster, with a prefix that keeps their names apart.',
  source: 'https://cloud.google.com/kubernetes-engine/docs/concepts/workload-identity',
  about: [
    'Pods of a Google Kubernetes Engine cluster. GKE publishes the discovery document of each cluster.',
    'A token for PROJECT.svc.id.goog can be exchanged for one of Google Cloud, and a token without an audience is for the',
    'API server of the GKE cluster: accept only tokens of a volume that names an audience of this cluster.',
  ],
  cluster: 'the GKE cluster',
  issuer:
    'https://container.googleapis.com/v1/projects/example/locations/europe-west1/clusters/blue',
  issuerHint:
    'https://container.googleapis.com/v1/projects/PROJECT/locations/LOCATION/clusters/CLUSTER',
  name: 'gke',
  node: 'gke-blue-default-pool-1a2b3c4d-x5yz',
});
