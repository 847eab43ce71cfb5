/** Does an expression over `user` look at the extra values? They are laid out only for those that do. */
import type { SerializedExpression } from '../../cel/evaluate/serialize.ts';

/** True unless every mention of `user` picks another field of it. */
export const readsExtra = ({ code }: SerializedExpression): boolean => mentions(code);

/** Encoded nodes are arrays: `['s', id, field, operand]` selects, `['v', id, name]` is a variable. */
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
