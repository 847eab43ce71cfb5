/**
 * Formats types as cel-go does: with short names in messages (`timestamp`, `null`, `any`), and with
 * run-time names where a result type is printed (`google.protobuf.Timestamp`, `null_type`). Users
 * see both.
 */
import { type CelType, runtimeTypeName, typeParameters } from './types.ts';

/** Formats a type for a message: `map(string, any)`, `optional_type(int)`, `!error!`. */
export const formatCelType = (type: CelType): string => {
  switch (type.kind) {
    case 'any':
    case 'duration':
    case 'timestamp':
    case 'null':
    case 'param':
      return type.kind === 'param' ? type.name : type.kind;
    case 'error':
      return '!error!';
    default:
      return formatWithParameters(type, formatCelType);
  }
};

/** Formats the result type of an expression: `map(string, google.protobuf.Any)`. */
export const formatOutputType = (type: CelType): string =>
  type.kind === 'param' ? `<${type.name}>` : formatWithParameters(type, formatOutputType);

/** Formats the argument types of a call: `(int, string)`, or `string.(int)` with a receiver. */
export const formatSignature = (args: readonly CelType[], hasReceiver: boolean): string => {
  const names = args.map(formatCelType);
  const receiver = hasReceiver ? `${names.shift() ?? ''}.` : '';
  return `${receiver}(${names.join(', ')})`;
};

const formatWithParameters = (type: CelType, text: (parameter: CelType) => string): string => {
  const parameters = typeParameters(type);
  const name = isWrapper(type) ? `wrapper(${runtimeTypeName(type)})` : runtimeTypeName(type);
  return parameters.length === 0 ? name : `${name}(${parameters.map(text).join(', ')})`;
};

const isWrapper = (type: CelType): boolean => 'nullable' in type && type.nullable === true;
