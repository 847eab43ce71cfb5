/** From a token of a literal to its value. */
import type { CstNode, IToken } from 'chevrotain';
import { tokenAt } from './concrete-tree.ts';
import {
  type LiteralResult,
  readBytes,
  readDouble,
  readInt,
  readString,
  readUint,
} from './literals.ts';

/** Reads a literal; `negative` for a number with a sign in front. */
export const readLiteral = (token: IToken, negative: boolean): LiteralResult => {
  switch (token.tokenType.name) {
    case 'Int':
      return readInt(token.image, negative);
    case 'Uint':
      return readUint(token.image);
    case 'Double':
      return readDouble(token.image, negative);
    case 'StringLiteral':
      return readString(token.image);
    case 'UnfinishedString':
      return { ok: true, constant: { kind: 'string', value: unfinishedContent(token.image) } };
    case 'BytesLiteral':
      return readBytes(token.image);
    case 'Null':
      return { ok: true, constant: { kind: 'null' } };
    default:
      return { ok: true, constant: { kind: 'bool', value: token.image === 'true' } };
  }
};

/** True for a primary that is an int or a double, which take a sign. */
export const isNumber = (primary: CstNode | undefined): boolean => {
  const name = tokenAt(primary?.children.literal, 0)?.tokenType.name;
  return name === 'Int' || name === 'Double';
};

/** What is there of an unfinished string. */
const unfinishedContent = (image: string): string => image.replace(/^[bBrR]*["']|["']$/g, '');
