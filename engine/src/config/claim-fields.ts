/**
 * Fields of a configuration that name a claim, such as `claim: email`. Expressions are not
 * included.
 */
import type { AuthenticationConfiguration, LocatedString } from './configuration.ts';

/** A claim named by a field, and what the field does with it. */
export interface ClaimField {
  /** Index of the authenticator. */
  readonly authenticator: number;
  readonly claim: LocatedString;
  /** The only value that a validation rule accepts. */
  readonly requiredValue: string | undefined;
  /** True if the claim's value becomes groups. */
  readonly isList: boolean;
}

/** Returns all fields that are not empty, entry by entry: mappings first, then rules. */
export const claimFieldsOf = ({ jwt }: AuthenticationConfiguration): readonly ClaimField[] =>
  jwt.flatMap(({ claimMappings, claimValidationRules }, authenticator) => {
    const fields: ClaimField[] = [];
    const add = (
      claim: LocatedString | undefined,
      { requiredValue, isList = false }: Partial<Pick<ClaimField, 'requiredValue' | 'isList'>> = {},
    ): void => {
      if (claim === undefined || claim.value === '') return;
      fields.push({
        authenticator,
        claim,
        requiredValue,
        isList,
      });
    };
    const { username, groups, uid } = claimMappings;
    add(username.claim);
    add(uid?.claim);
    add(groups?.claim, { isList: true });
    for (const { claim, requiredValue } of claimValidationRules)
      add(claim, { requiredValue: requiredValue?.value });
    return fields;
  });
