/** The expressions of a configuration: where each stands, over which variable, with which result. */
import type { EnvironmentName } from '../cel/compile-expression.ts';
import type {
  AuthenticationConfiguration,
  JwtAuthenticatorConfig,
  LocatedText,
} from './configuration.ts';

/** An expression of the configuration, with what it may read and must give. */
export interface ConfigExpression {
  /** `jwt[0].claimMappings.username.expression` */
  readonly path: string;
  readonly text: LocatedText;
  readonly environment: EnvironmentName;
  readonly result: 'bool' | 'any';
}

/** All that are not empty, in the order of the file's sections. */
export const expressionsOf = (
  configuration: AuthenticationConfiguration,
): readonly ConfigExpression[] =>
  configuration.jwt.flatMap((entry, index) => expressionsOfEntry(entry, `jwt[${index}]`));

/** Those of one entry, which stands at a path. */
export const expressionsOfEntry = (
  entry: JwtAuthenticatorConfig,
  at: string,
): readonly ConfigExpression[] => {
  const found: ConfigExpression[] = [];
  const add = (
    text: LocatedText | undefined,
    path: string,
    kind: Pick<ConfigExpression, 'environment' | 'result'>,
  ): void => {
    if (text !== undefined && text.value !== '') found.push({ path, text, ...kind });
  };
  const mappings = `${at}.claimMappings`;
  const { username, groups, uid, extra } = entry.claimMappings;
  entry.claimValidationRules.forEach((rule, item) => {
    add(rule.expression, `${at}.claimValidationRules[${item}].expression`, claimRule);
  });
  add(username.expression, `${mappings}.username.expression`, mapping);
  add(groups?.expression, `${mappings}.groups.expression`, mapping);
  add(uid?.expression, `${mappings}.uid.expression`, mapping);
  extra.forEach(({ valueExpression }, item) => {
    add(valueExpression, `${mappings}.extra[${item}].valueExpression`, mapping);
  });
  entry.userValidationRules.forEach((rule, item) => {
    add(rule.expression, `${at}.userValidationRules[${item}].expression`, userRule);
  });
  return found;
};

const mapping = { environment: 'claims', result: 'any' } as const;
const claimRule = { environment: 'claims', result: 'bool' } as const;
const userRule = { environment: 'user', result: 'bool' } as const;
