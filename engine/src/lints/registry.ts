/** The lints, in the order of their codes. */
import type { Compilation } from '../compile/compile.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { type Rule, type RuleDescription, runRule } from '../diagnostics/rule.ts';
import { apiDomain } from './api-domain.ts';
import { changeableUsername } from './changeable-username.ts';
import { claimNotIssued } from './claim-not-issued.ts';
import { claimNumber } from './claim-number.ts';
import { constantFailure } from './constant-failure.ts';
import { distributedGroups } from './distributed-groups.ts';
import { emailBypass } from './email-bypass.ts';
import { emptyJwt } from './empty-jwt.ts';
import { emptyUsername } from './empty-username.ts';
import { groupOverage } from './group-overage.ts';
import { ignoredDocument } from './ignored-document.ts';
import { ineffectiveEmailVerifiedRule } from './ineffective-email-verified-rule.ts';
import { internalVersion } from './internal-version.ts';
import { leftExampleValue } from './left-example-value.ts';
import { linkLocalIssuer } from './link-local-issuer.ts';
import { longListCost } from './long-list-cost.ts';
import { mappingType } from './mapping-type.ts';
import { missingOptionalSelect } from './missing-optional-select.ts';
import { nativeStringList } from './native-string-list.ts';
import { nearDuplicateIssuer } from './near-duplicate-issuer.ts';
import { numberText } from './number-text.ts';
import { olderVersion } from './older-version.ts';
import { optionalClaim } from './optional-claim.ts';
import { publicIssuerLint } from './public-issuer.ts';
import { rejectsEveryToken } from './rejects-every-token.ts';
import { replacementCharacter } from './replacement-character.ts';
import { requiredValueType } from './required-value-type.ts';
import { ruleAfterMapping } from './rule-after-mapping.ts';
import { ruleNeverHolds } from './rule-never-holds.ts';
import { sharedAudience } from './shared-audience.ts';
import { sharedUsernames } from './shared-usernames.ts';
import { systemGroups } from './system-groups.ts';
import { systemNames } from './system-names.ts';
import { tenantlessIssuer } from './tenantless-issuer.ts';
import { tokenWebhook } from './token-webhook.ts';
import { unguardedClaim } from './unguarded-claim.ts';
import { unmatchedAnonymousPath } from './unmatched-anonymous-path.ts';
import { unrestrictedAnonymous } from './unrestricted-anonymous.ts';
import { type CheckedAt, unusableAuthority } from './unusable-authority.ts';
import { wholeClaims } from './whole-claims.ts';

export interface Lint {
  readonly description: RuleDescription;
  /** Runs the lint; `now` is in milliseconds since 1970, for findings that depend on the time. */
  readonly run: (compilation: Compilation, now?: number) => readonly Diagnostic[];
}

const lintOf = <Args>(rule: Rule<Compilation, Args>): Lint => ({
  description: rule,
  run: (compilation) => runRule(rule, compilation),
});

const timedLintOf = <Args>(rule: Rule<CheckedAt, Args>): Lint => ({
  description: rule,
  run: (compilation, now) => runRule(rule, { compilation, now }),
});

/** Lints of single entries: their findings do not depend on other entries. */
export const entryLints: readonly Lint[] = [
  lintOf(nativeStringList),
  lintOf(wholeClaims),
  lintOf(claimNumber),
  lintOf(mappingType),
  lintOf(constantFailure),
  lintOf(emailBypass),
  lintOf(ruleAfterMapping),
  lintOf(systemNames),
  lintOf(systemGroups),
  lintOf(requiredValueType),
  lintOf(optionalClaim),
  lintOf(emptyUsername),
  lintOf(ineffectiveEmailVerifiedRule),
  lintOf(distributedGroups),
  lintOf(numberText),
  lintOf(missingOptionalSelect),
  lintOf(linkLocalIssuer),
  lintOf(ruleNeverHolds),
  lintOf(publicIssuerLint),
  lintOf(sharedAudience),
  lintOf(changeableUsername),
  lintOf(groupOverage),
  lintOf(longListCost),
  lintOf(unguardedClaim),
  lintOf(claimNotIssued),
  lintOf(tenantlessIssuer),
];

/** Lints of the whole file: they run at every change. */
export const fileLints: readonly Lint[] = [
  lintOf(nearDuplicateIssuer),
  lintOf(ignoredDocument),
  lintOf(internalVersion),
  lintOf(replacementCharacter),
  timedLintOf(unusableAuthority),
  lintOf(unmatchedAnonymousPath),
  lintOf(apiDomain),
  lintOf(emptyJwt),
  lintOf(rejectsEveryToken),
  lintOf(sharedUsernames),
  lintOf(unrestrictedAnonymous),
  lintOf(olderVersion),
  lintOf(tokenWebhook),
  lintOf(leftExampleValue),
];

export const lints: readonly Lint[] = [...entryLints, ...fileLints].toSorted((one, other) =>
  one.description.code < other.description.code ? -1 : 1,
);
