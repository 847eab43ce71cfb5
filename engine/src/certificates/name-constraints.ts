/**
 * Checks the subject alternative names of a chain against the name constraints of the certificates
 * above. The common name is not checked. Constraints are sorted and searched as in Go's
 * crypto/x509, so that unusual lists (addresses with host bits) have the same result.
 */

import { isDomainName, type Mailbox, readMailbox } from '../formats/domain-name.ts';
import { isIpAddress } from '../formats/go-ip.ts';
import { goQuote } from '../formats/go-quote.ts';
import type { AlternativeNames, AlternativeUri } from '../formats/x509/alternative-names.ts';
import type { NameConstraints, NameSubtrees } from '../formats/x509/constraints.ts';
import { addressConstraints, addressText } from './address-tree.ts';
import type { Certificate } from './certificate.ts';
import { domainConstraints } from './domain-tree.ts';
import type { ConstraintSide, FindConstraint } from './sorted-search.ts';

/** Returns the problem of the first name that is not permitted, starting at the leaf. */
export const nameConstraintProblem = (chain: readonly Certificate[]): string | undefined => {
  const constrained = chain.flatMap(({ extensions: { nameConstraints } }, at) =>
    nameConstraints === undefined ? [] : [{ at, check: nameChecker(nameConstraints) }],
  );
  for (const [at, { extensions }] of chain.entries()) {
    const above = constrained.filter((other) => other.at > at);
    if (extensions.alternativeNames === undefined || above.length === 0) continue;
    const names = namesOf(extensions.alternativeNames);
    if (typeof names === 'string') return names;
    for (const { check } of above) {
      const problem = check(names);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
};

interface CheckedNames {
  readonly addresses: readonly Uint8Array[];
  readonly dns: readonly string[];
  readonly uris: readonly { readonly text: string; readonly domain: string }[];
  readonly mailboxes: readonly Mailbox[];
}

/** Returns the names to check; an error message if one cannot be matched against constraints. */
const namesOf = (names: AlternativeNames): CheckedNames | string => {
  const uris: { readonly text: string; readonly domain: string }[] = [];
  for (const uri of names.uris) {
    const domain = domainOf(uri);
    if (domain.kind === 'none') return domain.problem;
    uris.push({ text: uri.text, domain: domain.name });
  }
  const mailboxes: Mailbox[] = [];
  for (const email of names.emails) {
    const mailbox = readMailbox(email);
    if (mailbox === undefined) return `cannot parse rfc822Name ${goQuote(email)}`;
    mailboxes.push({ local: mailbox.local, domain: mailbox.domain.toLowerCase() });
  }
  return { addresses: names.addresses, dns: names.dns, uris, mailboxes };
};

type UriDomain =
  | { readonly kind: 'domain'; readonly name: string }
  | { readonly kind: 'none'; readonly problem: string };

const domainOf = ({ text, host }: AlternativeUri): UriDomain => {
  const quoted = goQuote(text);
  const none = (problem: string): UriDomain => ({ kind: 'none', problem });
  if (host === '')
    return none(`URI with empty host (${quoted}) cannot be matched against constraints`);
  const withoutPort = host.includes(':') && !host.endsWith(']') ? hostWithoutPort(host) : host;
  if (withoutPort === undefined)
    return none(
      `cannot parse URI host ${goQuote(host)}: address ${host}: too many colons in address`,
    );
  const isLiteral = withoutPort.startsWith('[') && withoutPort.endsWith(']');
  if (isLiteral || isIpAddress(withoutPort, { zone: true }))
    return none(`URI with IP (${quoted}) cannot be matched against constraints`);
  return { kind: 'domain', name: withoutPort.toLowerCase() };
};

const hostWithoutPort = (host: string): string | undefined =>
  (/^\[([^[\]]*)\]:[^:[\]]*$/.exec(host) ?? /^([^:[\]]*):[^:[\]]*$/.exec(host))?.[1];

type NameCheck = (names: CheckedNames) => string | undefined;

/** Creates the check for the constraints of one authority. */
const nameChecker = ({ permitted, excluded }: NameConstraints): NameCheck => {
  const addresses = constraintCheck(permitted, excluded, ({ addresses: list }) =>
    addressConstraints(list),
  );
  const dns = constraintCheck(permitted, excluded, ({ dns: list }, side) =>
    domainConstraints(list, side),
  );
  const uris = constraintCheck(permitted, excluded, ({ uris: list }, side) =>
    domainConstraints(list, side),
  );
  const emails = constraintCheck(permitted, excluded, ({ emails: list }, side) =>
    mailboxTree(list, side),
  );
  return (names) =>
    firstProblem(names.addresses, (address) =>
      addresses(address, 'IP address', addressText(address)),
    ) ??
    firstProblem(names.dns, (name) =>
      isDomainName(name, { constraint: false })
        ? dns(name, 'DNS name', name)
        : `x509: cannot parse dnsName ${goQuote(name)}`,
    ) ??
    firstProblem(names.uris, ({ text, domain }) =>
      isDomainName(domain, { constraint: false })
        ? uris(domain, 'URI', text)
        : `x509: internal error: URI SAN ${goQuote(text)} failed to parse`,
    ) ??
    firstProblem(names.mailboxes, (mailbox) => {
      const text = `${mailbox.local}@${mailbox.domain}`;
      return isDomainName(mailbox.domain, { constraint: false })
        ? emails(mailbox, 'email address', text)
        : `x509: cannot parse rfc822Name ${goQuote(text)}`;
    });
};

const firstProblem = <Name>(
  names: readonly Name[],
  check: (name: Name) => string | undefined,
): string | undefined => {
  for (const name of names) {
    const problem = check(name);
    if (problem !== undefined) return problem;
  }
  return undefined;
};

/** Creates the check for one kind of name. */
const constraintCheck = <Name>(
  permitted: NameSubtrees,
  excluded: NameSubtrees,
  tree: (subtrees: NameSubtrees, side: ConstraintSide) => FindConstraint<Name> | undefined,
): ((name: Name, kind: string, text: string) => string | undefined) => {
  const findPermitted = tree(permitted, 'permitted');
  const findExcluded = tree(excluded, 'excluded');
  return (name, kind, text) => {
    if (findPermitted !== undefined && findPermitted(name) === undefined)
      return `${kind} ${goQuote(text)} is not permitted by any constraint`;
    const constraint = findExcluded?.(name);
    return constraint === undefined
      ? undefined
      : `${kind} ${goQuote(text)} is excluded by constraint ${goQuote(constraint)}`;
  };
};

/** Creates a search over constraints that are mailboxes or domains. */
const mailboxTree = (
  list: readonly string[],
  side: ConstraintSide,
): FindConstraint<Mailbox> | undefined => {
  if (list.length === 0) return undefined;
  const addresses = new Set<string>();
  for (const text of list) {
    const mailbox = text.includes('@') ? readMailbox(text) : undefined;
    if (mailbox) addresses.add(`${mailbox.local}@${mailbox.domain.toLowerCase()}`);
  }
  const domains = domainConstraints(
    list.filter((text) => !text.includes('@')),
    side,
  );
  return ({ local, domain }) => {
    const text = `${local}@${domain}`;
    return addresses.has(text) ? text : domains?.(domain);
  };
};
