/**
 * Types as text. The reference implementation writes them in two ways: short in its messages
 * (`timestamp`, `null`, `any`) and by run-time name where it prints a result type
 * (`google.protobuf.Timestamp`, `null_type`). Both are interfaces.
 */
import { type CelType, runtimeTypeName, typeParameters } from './types.ts';

/** As messages write it: `map(string, any)`, `optional_type(int)`, `!error!`. */
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

/** As the result type of an expression is printed: `map(string, google.protobuf.Any)`. */
export const formatOutputType = (type: CelType): string =>
  type.kind === 'param' ? `<${type.name}>` : formatWithParameters(type, formatOutputType);

/** Types of arguments as a call shows them: `(int, string)`, with a receiver `string.(int)`. */
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
