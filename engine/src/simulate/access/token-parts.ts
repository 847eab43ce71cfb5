/** The conditions of a token apart from its mapping: its audience, and the types of the claims that go-oidc decodes. */
import type { JwtNode } from '../../authenticators/jwt/node.ts';
import type { JsonObject, JsonValue } from '../../formats/json-with-shape.ts';
import { encodeUtf8 } from '../../formats/utf8.ts';
import { differs, type Mode } from '../../model/differences.ts';
import { readPayload } from '../../signed-token/payload.ts';
import { readStandardClaims, type StandardClaims } from '../../signed-token/standard-claims.ts';
import { audienceProblem } from '../../signed-token/verify.ts';
import type { AccessPart } from './access-part.ts';
import { ClaimReads, elementStep } from './claim-reads.ts';

/** Returns the part that a token must be for an audience of the authenticator. */
export const audiencePart = (node: JwtNode, side: AccessPart['side']): AccessPart => {
  const reads = new ClaimReads();
  const elements = [audienceClaim, elementStep];
  for (const path of [[audienceClaim], elements]) {
    for (const audience of node.audiences) reads.testEqual(path, audience);
  }
  const { statements } = reads.at([audienceClaim]);
  statements.set('an audience is accepted', 1);
  statements.set('all audiences are strings', 1);
  return {
    key: `audience ${JSON.stringify(node.audiences.toSorted())}`,
    side,
    at: `${node.id}.issuer.audiences`,
    text: node.audiences.join(', '),
    reads,
    readsAllClaims: false,
    unsupported: [],
    leaves: [],
    literals: node.audiences,
    elementFields: [],
    test: ({ aud }) => isForAudience(node, aud),
  };
};

/** Returns the parts that the types of these claims must be those that go-oidc decodes. */
export const claimTypeParts = (
  node: JwtNode,
  side: AccessPart['side'],
  roots: ReadonlySet<string>,
  mode: Mode,
): readonly AccessPart[] =>
  [...roots]
    .filter((root) => root !== audienceClaim && isStandard(root))
    .map((root) => {
      const reads = new ClaimReads();
      reads.at([root]);
      return {
        key: `type of ${root}`,
        side,
        at: `${node.id}.issuer`,
        text: root,
        reads,
        readsAllClaims: false,
        unsupported: [],
        leaves: [],
        literals: [],
        elementFields: [],
        test: (claims: JsonObject) => hasValidType(root, claims[root], mode),
      };
    });

/** Checks everything that a server checks of claims before their mapping, except for times. */
export const isValidToken = (node: JwtNode, claims: JsonObject, mode: Mode): boolean => {
  const standard = standardClaimsOf(claims, mode);
  return standard !== undefined && audienceProblem(standard, node) === undefined;
};

const audienceClaim = 'aud';

/** Returns the audience of claims, or the first of several. */
export const audienceOf = ({ aud }: JsonObject): string => {
  const first: unknown = Array.isArray(aud) ? aud.find((item) => typeof item === 'string') : aud;
  return typeof first === 'string' ? first : '';
};

const isForAudience = (node: JwtNode, aud: JsonValue | undefined): boolean => {
  const standard = standardClaimsOf({ iss: '', ...(aud === undefined ? {} : { aud }) }, 'product');
  return standard !== undefined && audienceProblem(standard, node) === undefined;
};

const hasValidType = (root: string, value: JsonValue | undefined, mode: Mode): boolean =>
  value === undefined || standardClaimsOf({ iss: '', [root]: value }, mode) !== undefined;

/** Decodes the claims that go-oidc reads; returns `undefined` if it rejects them. */
const standardClaimsOf = (claims: JsonObject, mode: Mode): StandardClaims | undefined => {
  const ordinary = readStandardClaims(claims, Object.keys(claims).length);
  if (ordinary !== undefined) return ordinary;
  const payload = readPayload(encodeUtf8(JSON.stringify(claims)));
  if (payload === undefined || payload.standard.kind === 'error') return undefined;
  if (payload.misCased !== undefined && differs(mode, 'mis-cased-claim')) return undefined;
  const { claims: decoded } = payload.standard;
  return decoded.sourceError === undefined ? decoded : undefined;
};

/** Claims with the names of standard ones in another case are decoded, too. */
const isStandard = (root: string): boolean => standardNames.has(root.toLowerCase());

const standardNames: ReadonlySet<string> = new Set(
  'iss sub aud exp iat nbf nonce at_hash _claim_names _claim_sources'.split(' '),
);
