/** The identity providers that starter configurations exist for. */
import { auth0 } from './auth0.ts';
import { dex } from './dex.ts';
import { eks } from './eks.ts';
import { entra } from './entra.ts';
import { githubActions } from './github-actions.ts';
import { gitlab } from './gitlab.ts';
import { gke } from './gke.ts';
import { google } from './google.ts';
import { keycloak } from './keycloak.ts';
import { okta } from './okta.ts';
import { otherCluster } from './other-cluster.ts';
import type { Provider } from './provider.ts';
import { spiffe } from './spiffe.ts';

/** All providers in the order in which they are listed. */
export const providers: readonly Provider[] = [
  entra,
  okta,
  google,
  keycloak,
  dex,
  githubActions,
  gitlab,
  auth0,
  spiffe,
  eks,
  gke,
  otherCluster,
];
