/**
 * Names and addresses can be changed and reassigned: the next owner of an address becomes the user
 * of the cluster. OpenID Connect Core section 5.7 allows only `sub` together with `iss` as a unique
 * identifier.
 */
import { nodesOf } from '../cel/tree/child-nodes.ts';
import type { Span } from '../source/span.ts';
import { defineLint } from './parts/define-lint.ts';
import { isEntra } from './parts/entra.ts';
import { claimRead } from './parts/expression-nodes.ts';
import { forEachEntry, spanInFile } from './parts/expression-uses.ts';

interface Args {
  readonly claim: string;
  readonly stable: string;
  readonly isEntra: boolean;
}

export const changeableUsername = defineLint<Args>({
  code: 'AG4031',
  name: 'changeable-username',
  severity: 'information',
  summary: 'The username is a claim that can be changed or reassigned.',
  message: ({ claim, isEntra: ofEntra }) =>
    ofEntra
      ? `${claim} is not verified by Microsoft Entra ID and can be changed: another account with the same value becomes the same user`
      : `${claim} can be changed and reassigned: another account with the same value becomes the same user`,
  help: ({ stable }) =>
    `Use ${stable}, which never changes. Existing role bindings name the old usernames.`,
  check(compilation, report) {
    forEachEntry(compilation, (entry, uses, index) => {
      const { claim, expression } = entry.claimMappings.username;
      const url = entry.issuer.url?.value ?? '';
      const ofEntra = isEntra(url);
      // A UID in the audit log shows that the author knows that names change.
      if (entry.claimMappings.uid !== undefined && !ofEntra) return;
      const reportClaim = (span: Span, name: string): void => {
        const stable = ofEntra ? 'oid' : 'sub';
        report(
          span,
          { claim: name, stable, isEntra: ofEntra },
          {
            severity: ofEntra ? 'warning' : 'information',
            question: {
              kind: 'accepted',
              entry: index,
              tokens: [{ claims: { [stable]: 'another-account' } }],
            },
          },
        );
      };
      if (expression === undefined) {
        if (claim !== undefined && changeable.has(claim.value))
          reportClaim(claim.span, claim.value);
        return;
      }
      const use = uses.find(({ role }) => role === 'username');
      if (use === undefined) return;
      const reads = nodesOf(use.compilation.checked.tree).flatMap((node) => {
        const name = claimRead(node);
        return name === undefined ? [] : [{ name, node }];
      });
      // A part of the username that never changes makes it unique.
      if (reads.some(({ name }) => !changeable.has(name) && name !== 'email_verified')) return;
      const [first] = reads.filter(({ name }) => changeable.has(name));
      if (first !== undefined) reportClaim(spanInFile(use, first.node.span), first.name);
    });
  },
});

const changeable: ReadonlySet<string> = new Set([
  'email',
  'preferred_username',
  'upn',
  'unique_name',
  'username',
  'user_login',
  'user_email',
]);
