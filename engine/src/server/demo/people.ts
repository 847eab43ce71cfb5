/** The people of the demo and the claims in their tokens. */

export interface DemoPerson {
  /** The short name, used for files and contexts. */
  readonly name: string;
  /** Two or three words for the screen. */
  readonly role: string;
  /** The demo issuer that signs their token. */
  readonly issuer: DemoIssuerName;
  /** The claims in addition to `iss`, `aud`, `iat`, `nbf` and `exp`. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export type DemoIssuerName = 'team' | 'staff';

/** The audience that the sample configuration expects. */
export const demoAudience = 'authgraph-demo';

/** The URL in the sample configuration, such as `https://team.demo.localhost`. */
export const demoIssuerUrl = (name: DemoIssuerName): string => `https://${demoIssuerHost(name)}`;

/** The host name of an issuer; no public name server resolves it (RFC 6761). */
export const demoIssuerHost = (name: DemoIssuerName): string => `${name}.demo.localhost`;

export const demoIssuerNames: readonly DemoIssuerName[] = ['team', 'staff'];

export const demoPeople: readonly DemoPerson[] = [
  {
    name: 'ada',
    role: 'developer',
    issuer: 'team',
    claims: { sub: '1001', preferred_username: 'ada', groups: ['developers', 'on-call'] },
  },
  {
    name: 'olu',
    role: 'operator',
    issuer: 'staff',
    claims: {
      sub: '2001',
      email: 'olu@example.com',
      email_verified: true,
      roles: ['operators'],
      desk: 'lagos-4',
    },
  },
  {
    name: 'max',
    role: 'contractor',
    issuer: 'staff',
    claims: {
      sub: '2002',
      email: 'max@example.com',
      email_verified: true,
      roles: ['operators'],
      contractor: true,
    },
  },
];
