/** The people of the demo: who they are, and what their issuer says of them. */

export interface DemoPerson {
  /** Short name, of files and contexts. */
  readonly name: string;
  /** Two or three words for the screen. */
  readonly role: string;
  /** Which of the demo's issuers signs their token. */
  readonly issuer: DemoIssuerName;
  /** What the token says besides `iss`, `aud`, `iat`, `nbf` and `exp`. */
  readonly claims: Readonly<Record<string, unknown>>;
}

export type DemoIssuerName = 'team' | 'staff';

/** The audience that the sample configuration expects. */
export const demoAudience = 'authgraph-demo';

/** `https://team.demo.localhost`: as the sample configuration names it. */
export const demoIssuerUrl = (name: DemoIssuerName): string => `https://${demoIssuerHost(name)}`;

/** Host names that no public name server ever answers for (RFC 6761). */
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
