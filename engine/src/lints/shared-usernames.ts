/**
 * Two issuers whose usernames have the same prefix share one namespace: a user of one issuer can
 * become a user of the other.
 */
import type { CelNode } from '../cel/tree/ast.ts';
import type { JwtAuthenticatorConfig } from '../config/configuration.ts';
import { defineLint } from './parts/define-lint.ts';
import { agree, claimRead, constantStart, resultNodes } from './parts/expression-nodes.ts';
import { type ExpressionUse, usesByAuthenticator } from './parts/expression-uses.ts';

interface Args {
  readonly url: string;
  readonly other: string;
}

export const sharedUsernames = defineLint<Args>({
  code: 'AG4032',
  name: 'shared-usernames',
  summary: 'Two issuers can map to the same usernames.',
  message: ({ url, other }) =>
    `users of ${JSON.stringify(url)} and of ${JSON.stringify(other)} can have the same username: a user who chooses it at one issuer becomes the user of the other`,
  help: () => 'Give each issuer a prefix of its own.',
  check(compilation, report) {
    const uses = usesByAuthenticator(compilation);
    const entries = compilation.configuration?.jwt ?? [];
    const starts = entries.map((entry, index) => startsOf(entry, uses[index] ?? []));
    entries.forEach((entry, index) => {
      const at = placeOf(entry);
      if (at === undefined) return;
      const other = starts
        .slice(0, index)
        .findIndex((earlier) =>
          earlier.some((one) => starts[index]?.some((own) => canBeEqual(one, own)) === true),
        );
      const first = entries[other];
      const related = first === undefined ? undefined : placeOf(first);
      if (first === undefined || related === undefined) return;
      report(
        at.span,
        { url: entry.issuer.url?.value ?? '', other: first.issuer.url?.value ?? '' },
        {
          related: [{ span: related.span, message: 'the other username' }],
          question: { kind: 'shared username', entry: index, other, isOpen: true },
        },
      );
    });
  },
});

const placeOf = ({ claimMappings: { username } }: JwtAuthenticatorConfig) =>
  username.expression ?? username.prefix ?? username.claim;

/** The beginning of a username: constant text, and whether an address follows. */
interface Start {
  /** Empty if it is unknown. */
  readonly text: string;
  readonly isAddress: boolean;
}

const startsOf = (
  { claimMappings: { username } }: JwtAuthenticatorConfig,
  uses: readonly ExpressionUse[],
): readonly Start[] => {
  const { claim, prefix, expression } = username;
  if (expression === undefined) {
    if (claim === undefined || prefix === undefined) return [];
    return [{ text: prefix.value, isAddress: claim.value === 'email' }];
  }
  const use = uses.find(({ role }) => role === 'username');
  return use === undefined ? [] : resultNodes(use.compilation.checked.tree).map(startOf);
};

const startOf = (node: CelNode): Start => ({
  text: constantStart(node),
  isAddress: claimRead(node) === 'email',
});

/** An address does not begin with the prefix of another issuer. */
const canBeEqual = (one: Start, other: Start): boolean =>
  one.isAddress || other.isAddress ? one.text === other.text : agree(one.text, other.text);
