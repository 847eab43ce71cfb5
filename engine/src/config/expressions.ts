/** The expressions of a configuration: their path, their variable and the type of their result. */
import type { EnvironmentName } from '../cel/compile-expression.ts';
import type {
  AuthenticationConfiguration,
  JwtAuthenticatorConfig,
  LocatedString,
} from './configuration.ts';

/**
 * An expression of the configuration, with the variable that it reads and the result that it must
 * have.
 */
export interface ConfigExpression {
  /** Field path, for example `jwt[0].claimMappings.username.expression`. */
  readonly path: string;
  readonly text: LocatedString;
  readonly environment: EnvironmentName;
  readonly result: 'bool' | 'any';
}

/** Returns all expressions that are not empty, in the order of the file's sections. */
export const expressionsOf = (
  configuration: AuthenticationConfiguration,
): readonly ConfigExpression[] =>
  configuration.jwt.flatMap((entry, index) => expressionsOfEntry(entry, `jwt[${index}]`));

/** Returns the expressions of the entry at a path. */
export const expressionsOfEntry = (
  entry: JwtAuthenticatorConfig,
  entryPath: string,
): readonly ConfigExpression[] => {
  const expressions: ConfigExpression[] = [];
  const add = (
    text: LocatedString | undefined,
    path: string,
    kind: Pick<ConfigExpression, 'environment' | 'result'>,
  ): void => {
    if (text !== undefined && text.value !== '') expressions.push({ path, text, ...kind });
  };
  const mappings = `${entryPath}.claimMappings`;
  const { username, groups, uid, extra } = entry.claimMappings;
  entry.claimValidationRules.forEach((rule, item) => {
    add(rule.expression, `${entryPath}.claimValidationRules[${item}].expression`, claimRule);
  });
  add(username.expression, `${mappings}.username.expression`, mapping);
  add(groups?.expression, `${mappings}.groups.expression`, mapping);
  add(uid?.expression, `${mappings}.uid.expression`, mapping);
  extra.forEach(({ valueExpression }, item) => {
    add(valueExpression, `${mappings}.extra[${item}].valueExpression`, mapping);
  });
  entry.userValidationRules.forEach((rule, item) => {
    add(rule.expression, `${entryPath}.userValidationRules[${item}].expression`, userRule);
  });
  return expressions;
};

const mapping = { environment: 'claims', result: 'any' } as const;
const claimRule = { environment: 'claims', result: 'bool' } as const;
const userRule = { environment: 'user', result: 'bool' } as const;
