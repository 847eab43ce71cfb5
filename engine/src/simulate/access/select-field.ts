/** Selects fields of possible values: the way from `claims` to one claim, and from `user` to one field. */
import { elementStep } from './claim-reads.ts';
import { type ExpressionReader, isElement } from './expression-reader.ts';
import { claimValue, decided, isAlwaysString, type PossibleValue } from './possible-values.ts';

/** Selects a field of each possible value. */
export const selectField = (
  reader: ExpressionReader,
  operands: readonly PossibleValue[],
  field: string,
): readonly PossibleValue[] => operands.flatMap((operand) => fieldOf(reader, operand, field));

const fieldOf = (
  reader: ExpressionReader,
  operand: PossibleValue,
  field: string,
): readonly PossibleValue[] => {
  switch (operand.kind) {
    case 'claim': {
      reader.readUnlessRoot(operand);
      if (isAlwaysString(operand)) return [decided];
      if (isElement(operand.path) || field === elementStep) {
        return reader.reject('a field of list elements is read', [operand]);
      }
      if (operand.path.length === 0 && field === 'iss' && reader.issuer !== undefined) {
        return [{ kind: 'constant', type: 'string', value: reader.issuer }];
      }
      const selected = claimValue([...operand.path, field]);
      reader.read(selected);
      return [selected];
    }
    case 'optional':
      return [{ kind: 'optional', values: selectField(reader, operand.values, field) }];
    case 'user':
      return operand.fields.get(field) ?? [decided];
    case 'extra':
      return operand.lists.get(field) ?? [decided];
    case 'constant':
    case 'decided':
      return [decided];
    default:
      reader.read(operand);
      return [decided];
  }
};
