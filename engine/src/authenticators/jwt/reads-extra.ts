/** Detects whether an expression reads `user.extra`, which is built only if one does. */
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';

/** Returns true unless every use of `user` selects another field. */
export const readsExtra = ({ code }: SerializedExpression): boolean => mentions(code);

/**
 * Searches an encoded expression: `['s', id, field, operand]` is a selection, `['v', id, name]` a
 * variable.
 */
const mentions = (code: unknown): boolean => {
  if (!Array.isArray(code)) return false;
  const [kind, , name, operand]: unknown[] = code;
  if (kind === 'v') return isUser(name);
  if (kind === 's' || kind === 'h')
    return isUserNode(operand) ? name === 'extra' : mentions(operand);
  return code.some(mentions);
};

const isUserNode = (code: unknown): boolean =>
  Array.isArray(code) && code[0] === 'v' && isUser(code[2]);

const isUser = (name: unknown): boolean => name === 'user' || name === '.user';
