/**
 * Maps claims to a user: first the mappings, then the claim validation rules, then the user
 * validation rules, with kube-apiserver's order and messages. The server, previews and tests all
 * use this function.
 */
import { costLimitExceeded } from '../../cel/values/evaluation-errors.ts';
import { CelError, type CelValue, type JsonRecord } from '../../cel/values/value.ts';
import { goKindOfValue, goTypeError } from '../../formats/go-json.ts';
import type { JsonObject } from '../../formats/json-with-shape.ts';
import type { Rejection } from '../../model/decision.ts';
import { differs, type Mode } from '../../model/differences.ts';
import { maxGroupLength, maxGroups, maxTokenCost } from '../../model/limits.ts';
import { rejectionOf } from '../../model/rejection.ts';
import type { UserInfo } from '../../model/user-info.ts';
import type { ClaimSet } from '../../signed-token/payload.ts';
import { stringList, stringOrList } from './claim-values.ts';
import {
  claimOf,
  type LinkedClaim,
  type LinkedExpression,
  type LinkedMapping,
  type LinkedRule,
  readableClaims,
} from './link-mapping.ts';
import type { MappingTrace } from './mapping-trace.ts';
import {
  costExceeded,
  emailNotVerified,
  emailVerifiedType,
  emptyUsernameClaim,
  emptyUsernameExpression,
  extraType,
  requiredClaimMissing,
  requiredClaimValue,
  userRefused,
} from './rejections.ts';

export type MappingOutcome = { readonly kind: 'user'; readonly user: UserInfo } | MappingRejection;

export interface MappingRejection extends Rejection {
  readonly kind: 'rejected';
  /** The field of the node that rejected the token. */
  readonly at: string;
  readonly cause: RejectionCause;
}

/** A rule that is false, the cost of an expression, or any other problem. */
type RejectionCause = 'false rule' | 'cost' | 'other';

export interface MappingOptions {
  readonly mode: Mode;
  /** The extra key for the token's ID. */
  readonly credentialIdKey: string | undefined;
  readonly trace?: MappingTrace;
}

/** Maps the claims. Never throws; equal claims give equal outcomes. */
export const mapClaims = (
  mapping: LinkedMapping,
  claims: ClaimSet,
  options: MappingOptions,
): MappingOutcome =>
  mapOnce(new MappingRun(mapping, claims, options, options.trace !== undefined)) ??
  mapOnce(new MappingRun(mapping, claims, options, true)) ??
  tooExpensive;

/**
 * Runs a mapping; returns `undefined` if the cost may exceed the limit and must be counted exactly.
 */
const mapOnce = (run: MappingRun): MappingOutcome | undefined => {
  try {
    return { kind: 'user', user: run.user() };
  } catch (cause) {
    if (cause === countExactly) return undefined;
    if (!(cause instanceof RejectionError)) throw cause;
    return run.rejection(cause);
  }
};

/** Thrown to reject the token; caught in this file. */
class RejectionError {
  readonly rejection: Rejection;
  readonly field: string;
  readonly cause: RejectionCause;
  constructor(rejection: Rejection, field: string, cause: RejectionCause) {
    this.rejection = rejection;
    this.field = field;
    this.cause = cause;
  }
}

/** Thrown to end a run that does not count the cost exactly. */
const countExactly = Symbol('count exactly');

/** The outcome if even an exact run exceeded the cost, which is unreachable. */
const tooExpensive: MappingOutcome = {
  ...rejectionOf(costExceeded),
  kind: 'rejected',
  at: '',
  cause: 'cost',
};

/** The error if a groups or extra expression returns another type. */
export const notStringsMessage = 'expression must return a string or a list of strings';

/** The mapping of one token. Also serves as the cost meter of its expressions. */
class MappingRun {
  private readonly mapping: LinkedMapping;
  private readonly claims: JsonObject;
  private readonly variable: JsonRecord;
  private readonly options: MappingOptions;
  private readonly countsExactly: boolean;
  /** Cost so far; an upper bound unless the run is exact. */
  spent = 0;

  constructor(
    mapping: LinkedMapping,
    claims: ClaimSet,
    options: MappingOptions,
    countsExactly: boolean,
  ) {
    this.mapping = mapping;
    this.claims = claims.claims;
    this.variable = mapping.hasExpressions ? readableClaims(claims) : claims.claims;
    this.options = options;
    this.countsExactly = countsExactly;
  }

  user(): UserInfo {
    const username = this.username();
    const groups = this.groups();
    const uid = this.uid();
    const extra = this.extra();
    const user: UserInfo = { username, uid, groups, extra };
    this.requiredClaims();
    this.rules(this.mapping.claimRules, this.variable, 'claim validation rule');
    const { userRules } = this.mapping;
    if (userRules.length > 0) {
      this.rules(userRules, this.mapping.userVariable(user), 'user validation rule');
    }
    return user;
  }

  rejection({ rejection, field, cause }: RejectionError): MappingOutcome {
    const at = `${this.mapping.id}.${field}`;
    const { message } = rejection;
    this.options.trace?.step({ at, what: 'result', outcome: 'failed', detail: message });
    return { ...rejection, kind: 'rejected', at, cause };
  }

  private username(): string {
    const { username } = this.mapping;
    const { field } = username;
    if (username.kind === 'expression') {
      const name = this.stringValue(username, 'username');
      if (name === '') {
        return reject(rejectionOf(emptyUsernameExpression), field);
      }
      this.traceValue(field, name);
      return name;
    }
    const value = this.claimString(username);
    if (username.claim === 'email') this.verifiedEmail(field);
    if (value === '' && differs(this.options.mode, 'empty-username')) {
      reject(rejectionOf(emptyUsernameClaim, username.claim), field);
    }
    const name = username.prefix + value;
    this.traceValue(field, name);
    return name;
  }

  private verifiedEmail(field: string): void {
    const verified = this.claims.email_verified;
    if (verified === undefined || verified === true) return;
    if (verified !== null && verified !== false) {
      const error = goTypeError(goKindOfValue(verified), 'bool');
      reject(rejectionOf(emailVerifiedType, error), field);
    }
    reject(rejectionOf(emailNotVerified), field);
  }

  private groups(): readonly string[] {
    const { groups } = this.mapping;
    if (groups === undefined) return [];
    const names =
      groups.kind === 'expression' ? this.stringListValue(groups) : this.claimGroups(groups);
    if (differs(this.options.mode, 'group-limits')) limitGroups(names, groups.field);
    this.traceValue(groups.field, names);
    return names;
  }

  private claimGroups(groups: LinkedClaim & { readonly prefix: string }): readonly string[] {
    const value = claimOf(this.claims, groups);
    if (value === undefined) return [];
    const names = stringOrList(value, groups.prefix);
    if (names !== undefined) return names;
    const error = goTypeError(goKindOfValue(value), 'string');
    return reject(rejectionOf(groups.rejection, error, groups.claim), groups.field);
  }

  private uid(): string {
    const { uid } = this.mapping;
    if (uid === undefined) return '';
    const text = uid.kind === 'expression' ? this.stringValue(uid, 'uid') : this.claimString(uid);
    this.traceValue(uid.field, text);
    return text;
  }

  private extra(): ReadonlyMap<string, readonly string[]> {
    const extra = new Map<string, readonly string[]>();
    const { credentialIdKey } = this.options;
    const id = credentialIdKey === undefined ? undefined : this.claims.jti;
    if (credentialIdKey !== undefined && typeof id === 'string' && id !== '') {
      extra.set(credentialIdKey, [`JTI=${id}`]);
    }
    const { mapping } = this;
    if (mapping.extra.length === 0) return extra;
    // All expressions are evaluated before the first result is checked.
    const values: CelValue[] = [];
    for (const mapped of mapping.extra) values.push(this.evaluate(mapped, this.variable));
    let index = 0;
    for (const { key, text, field } of mapping.extra) {
      const texts = stringList(values[index++] ?? null);
      if (texts === undefined) {
        return reject(rejectionOf(extraType, text, notStringsMessage), field);
      }
      this.traceValue(field, texts);
      if (texts.length > 0) extra.set(key, texts);
    }
    return extra;
  }

  private requiredClaims(): void {
    for (const required of this.mapping.requiredClaims) {
      const { claim, requiredValue, field } = required;
      if (claimOf(this.claims, required) === undefined) {
        reject(rejectionOf(requiredClaimMissing, claim), field);
      }
      const text = this.claimString(required);
      if (text !== requiredValue) {
        reject(rejectionOf(requiredClaimValue, claim, text, requiredValue), field);
      }
      this.options.trace?.step({
        at: `${this.mapping.id}.${field}`,
        what: 'required claim',
        outcome: 'passed',
        value: text,
      });
    }
  }

  /**
   * Evaluates all rules before checking results: an error in a later rule takes precedence over an
   * earlier rule that is false.
   */
  private rules(rules: readonly LinkedRule[], variable: JsonRecord, what: string): void {
    let firstFailed: LinkedRule | undefined;
    let failedResult: CelValue = true;
    for (const rule of rules) {
      const result = this.evaluate(rule, variable);
      if (result === true || firstFailed !== undefined) continue;
      firstFailed = rule;
      failedResult = result;
    }
    this.traceRules(rules, firstFailed, what);
    if (firstFailed === undefined) return;
    const { rejection, text, message, field } = firstFailed;
    if (failedResult !== false) {
      reject(rejectionOf(rejection, 'validation expression must return a boolean'), field);
    }
    const problem = `validation expression '${text}' failed: ${message}`;
    reject(rejectionOf(rejection, problem), field, 'false rule');
  }

  private traceRules(
    rules: readonly LinkedRule[],
    firstFailed: LinkedRule | undefined,
    what: string,
  ): void {
    const { trace } = this.options;
    if (trace === undefined) return;
    for (const rule of rules) {
      const outcome = rule === firstFailed ? 'failed' : 'passed';
      trace.step({ at: `${this.mapping.id}.${rule.field}`, what, outcome });
      if (rule === firstFailed) return;
    }
  }

  /** Returns the claim as a string; null is the empty string. */
  private claimString(claim: LinkedClaim): string {
    const value = claimOf(this.claims, claim);
    if (typeof value === 'string') return value;
    if (value === null) return '';
    const problem =
      value === undefined ? 'claim not present' : goTypeError(goKindOfValue(value), 'string');
    return reject(rejectionOf(claim.rejection, problem, claim.claim), claim.field);
  }

  private stringValue(expression: LinkedExpression, what: 'username' | 'uid'): string {
    const value = this.evaluate(expression, this.variable);
    if (typeof value === 'string') return value;
    const { rejection, field } = expression;
    return reject(rejectionOf(rejection, `${what} claim expression must return a string`), field);
  }

  private stringListValue(expression: LinkedExpression): readonly string[] {
    const value = this.evaluate(expression, this.variable);
    const { rejection, field } = expression;
    return stringList(value) ?? reject(rejectionOf(rejection, notStringsMessage), field);
  }

  private evaluate(expression: LinkedExpression, variable: JsonRecord): CelValue {
    const result = this.countsExactly
      ? this.evaluateExactly(expression, variable)
      : expression.program.evaluateMetered(variable, this);
    if (result instanceof CelError) {
      const { rejection, text, field } = expression;
      const problem = `expression '${text}' resulted in error: ${result.message}`;
      const cause = result.message === costLimitExceeded.message ? 'cost' : 'other';
      return reject(rejectionOf(rejection, problem), field, cause);
    }
    if (this.spent > maxTokenCost && differs(this.options.mode, 'token-cost')) {
      if (!this.countsExactly) throw countExactly;
      reject(rejectionOf(costExceeded), expression.field, 'cost');
    }
    return result;
  }

  private evaluateExactly(expression: LinkedExpression, variable: JsonRecord): CelValue | CelError {
    const { trace } = this.options;
    const at = `${this.mapping.id}.${expression.field}`;
    const { value, error, cost } =
      trace === undefined
        ? expression.program.evaluate(variable)
        : trace.evaluate(expression, { at, variable });
    this.spent += cost;
    return value === undefined ? new CelError(error ?? '') : value;
  }

  private traceValue(field: string, value: unknown): void {
    if (this.options.trace === undefined) return;
    const at = `${this.mapping.id}.${field}`;
    this.options.trace.step({ at, what: 'mapping', outcome: 'value', value });
  }
}

const reject = (rejection: Rejection, field: string, cause: RejectionCause = 'other'): never => {
  throw new RejectionError(rejection, field, cause);
};

const limitGroups = (names: readonly string[], field: string): void => {
  if (names.length > maxGroups) {
    reject(rejectionOf(userRefused, `more than ${maxGroups} groups`), field);
  }
  for (const name of names) {
    if (name.length > maxGroupLength) {
      const problem = `a group of more than ${maxGroupLength} characters`;
      reject(rejectionOf(userRefused, problem), field);
    }
  }
};
