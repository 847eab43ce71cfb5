/** The fields of a configuration that name a claim: `claim: email`. Expressions are not among them. */
import type { AuthenticationConfiguration, LocatedString } from './configuration.ts';

/** A claim that a field names, and what the field makes of it. */
export interface ClaimField {
  /** Index of the authenticator. */
  readonly authenticator: number;
  readonly claim: LocatedString;
  /** The one text that a validation rule lets through. */
  readonly requiredValue: string | undefined;
  /** Its value becomes groups. */
  readonly isList: boolean;
}

/** All that are not empty, entry by entry: mappings, then rules. */
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
