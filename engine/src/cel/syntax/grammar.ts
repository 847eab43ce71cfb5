/**
 * The chevrotain grammar of CEL. It is instantiated twice: a strict parser for valid expressions
 * and
 * a parser with error recovery, which returns a concrete syntax tree for invalid ones too. The
 * grammar is flat to save time and stack: one rule covers all binary operators, and `build-tree.ts`
 * applies their precedence. It accepts a superset of CEL; `build-tree.ts` detects the difference.
 */
import { type CstNode, CstParser, type IToken, type ParserMethod } from 'chevrotain';
import * as t from '../tree/lexer.ts';

class CelGrammar extends CstParser {
  // The constructor assigns the fields, because a rule has to be defined after the rules it calls.
  readonly expression: ParserMethod<[], CstNode>;
  readonly chain: ParserMethod<[], CstNode>;
  readonly operand: ParserMethod<[], CstNode>;
  readonly primary: ParserMethod<[], CstNode>;
  readonly selector: ParserMethod<[], CstNode>;
  readonly argument: ParserMethod<[], CstNode>;
  readonly listElement: ParserMethod<[], CstNode>;
  readonly mapEntry: ParserMethod<[], CstNode>;
  readonly structField: ParserMethod<[], CstNode>;

  constructor(options: { readonly recoveryEnabled: boolean; readonly skipValidations: boolean }) {
    super(t.allTokens, {
      recoveryEnabled: options.recoveryEnabled,
      maxLookahead: 2,
      nodeLocationTracking: 'none',
      skipValidations: options.skipValidations,
    });

    this.expression = this.RULE('expression', () => {
      this.SUBRULE(this.chain);
      this.OPTION(() => {
        this.CONSUME(t.Question);
        this.SUBRULE2(this.chain);
        this.CONSUME(t.Colon);
        this.SUBRULE(this.expression);
      });
    });

    this.chain = this.RULE('chain', () => {
      this.SUBRULE(this.operand);
      this.MANY(() => {
        this.CONSUME(t.BinaryOperator);
        this.SUBRULE2(this.operand);
      });
    });

    this.operand = this.RULE('operand', () => {
      this.OPTION(() => {
        this.OR([
          { ALT: () => this.AT_LEAST_ONE(() => this.CONSUME(t.Not)) },
          { ALT: () => this.AT_LEAST_ONE2(() => this.CONSUME(t.Minus)) },
        ]);
      });
      this.SUBRULE(this.primary);
      this.MANY(() => this.SUBRULE(this.selector));
    });

    this.primary = this.RULE('primary', () => {
      this.OR([
        {
          ALT: () => {
            this.OPTION(() => this.CONSUME(t.Dot));
            this.CONSUME(t.Identifier);
            this.OPTION2(() => {
              this.CONSUME(t.LeftParen);
              this.SUBRULE(this.argument);
              this.MANY(() => {
                this.CONSUME(t.Comma);
                this.SUBRULE2(this.argument);
              });
              this.CONSUME(t.RightParen);
            });
          },
        },
        {
          ALT: () => {
            this.CONSUME2(t.LeftParen);
            this.SUBRULE2(this.expression);
            this.CONSUME2(t.RightParen);
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.LeftBracket);
            this.SUBRULE(this.listElement);
            this.MANY2(() => {
              this.CONSUME2(t.Comma);
              this.SUBRULE2(this.listElement);
            });
            this.CONSUME(t.RightBracket);
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.LeftBrace);
            this.SUBRULE(this.mapEntry);
            this.MANY3(() => {
              this.CONSUME3(t.Comma);
              this.SUBRULE2(this.mapEntry);
            });
            this.CONSUME(t.RightBrace);
          },
        },
        { ALT: () => this.CONSUME(t.Int, { LABEL: 'literal' }) },
        { ALT: () => this.CONSUME(t.Uint, { LABEL: 'literal' }) },
        { ALT: () => this.CONSUME(t.Double, { LABEL: 'literal' }) },
        { ALT: () => this.CONSUME(t.StringLiteral, { LABEL: 'literal' }) },
        { ALT: () => this.CONSUME(t.UnfinishedString, { LABEL: 'literal' }) },
        { ALT: () => this.CONSUME(t.BytesLiteral, { LABEL: 'literal' }) },
        { ALT: () => this.CONSUME(t.True, { LABEL: 'literal' }) },
        { ALT: () => this.CONSUME(t.False, { LABEL: 'literal' }) },
        { ALT: () => this.CONSUME(t.Null, { LABEL: 'literal' }) },
      ]);
    });

    this.selector = this.RULE('selector', () => {
      this.OR([
        {
          ALT: () => {
            this.CONSUME(t.Dot);
            this.OPTION(() => this.CONSUME(t.Question));
            this.OR2([
              { ALT: () => this.CONSUME(t.Identifier, { LABEL: 'field' }) },
              { ALT: () => this.CONSUME(t.EscapedIdentifier, { LABEL: 'field' }) },
            ]);
            this.OPTION2(() => {
              this.CONSUME(t.LeftParen);
              this.SUBRULE(this.argument);
              this.MANY(() => {
                this.CONSUME(t.Comma);
                this.SUBRULE2(this.argument);
              });
              this.CONSUME(t.RightParen);
            });
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.LeftBracket);
            this.OPTION3(() => this.CONSUME2(t.Question));
            this.SUBRULE2(this.expression);
            this.CONSUME(t.RightBracket);
          },
        },
        {
          ALT: () => {
            this.CONSUME(t.LeftBrace);
            this.SUBRULE(this.structField);
            this.MANY2(() => {
              this.CONSUME2(t.Comma);
              this.SUBRULE2(this.structField);
            });
            this.CONSUME(t.RightBrace);
          },
        },
      ]);
    });

    // Every slot between commas may be empty, so that a missing part does not shift the others.
    this.argument = this.RULE('argument', () => {
      this.OPTION(() => this.SUBRULE(this.expression));
    });

    this.listElement = this.RULE('listElement', () => {
      this.OPTION(() => this.CONSUME(t.Question));
      this.OPTION2(() => this.SUBRULE(this.expression));
    });

    this.mapEntry = this.RULE('mapEntry', () => {
      this.OPTION(() => {
        this.OPTION2(() => this.CONSUME(t.Question));
        this.SUBRULE(this.expression);
        this.CONSUME(t.Colon);
        this.SUBRULE2(this.expression);
      });
    });

    this.structField = this.RULE('structField', () => {
      this.OPTION(() => {
        this.OPTION2(() => this.CONSUME(t.Question));
        this.OR([
          { ALT: () => this.CONSUME(t.Identifier, { LABEL: 'field' }) },
          { ALT: () => this.CONSUME(t.EscapedIdentifier, { LABEL: 'field' }) },
        ]);
        this.CONSUME(t.Colon);
        this.SUBRULE(this.expression);
      });
    });

    this.performSelfAnalysis();
  }
}

/** The tokens and comments of an expression. `broken` is true if some characters form no token. */
export interface TokenizeResult {
  readonly tokens: IToken[];
  readonly comments: readonly IToken[];
  readonly broken: boolean;
}

/** The result of the chevrotain parser. `broken` is true if there were syntax errors. */
export interface ConcreteSyntax {
  readonly root: CstNode | undefined;
  readonly broken: boolean;
}

let strictGrammar: CelGrammar | undefined;
let recoveringGrammar: CelGrammar | undefined;

/** Builds the grammar with chevrotain's validations enabled. Throws if the grammar is invalid. */
export const validateGrammar = (): void => {
  new CelGrammar({ recoveryEnabled: true, skipValidations: false });
};

/** Splits an expression into tokens and comments. */
export const tokenize = (text: string): TokenizeResult => {
  const { tokens, groups, errors } = t.celLexer().tokenize(text);
  return { tokens, comments: groups.comments ?? [], broken: errors.length > 0 };
};

/** Parses without error recovery; the tree of an invalid expression is incomplete. */
export const parseStrictly = (tokens: IToken[]): ConcreteSyntax => {
  strictGrammar ??= new CelGrammar({ recoveryEnabled: false, skipValidations: true });
  return parseWith(strictGrammar, tokens);
};

/**
 * Parses with error recovery, as far as possible. Each recovery costs time and stack, so callers
 * limit
 * the number of tokens.
 */
export const parseWithRecovery = (tokens: IToken[]): ConcreteSyntax => {
  recoveringGrammar ??= new CelGrammar({ recoveryEnabled: true, skipValidations: true });
  return parseWith(recoveringGrammar, tokens);
};

const parseWith = (grammar: CelGrammar, tokens: IToken[]): ConcreteSyntax => {
  grammar.input = tokens;
  const root = grammar.expression();
  return { root, broken: grammar.errors.length > 0 };
};

/**
 * Computes the maximum nesting of brackets and conditionals, which the chevrotain parser recurses
 * into.
 */
export const nestingDepth = (tokens: readonly IToken[]): number => {
  let deepest = 0;
  // The closing brackets of all open brackets, and a `?` for each open conditional.
  const open: string[] = [];
  let previous = '';
  for (const { image } of tokens) {
    const closing = closingBracketOf.get(image);
    if (closing !== undefined) open.push(closing);
    else if (image === '?' && !tokensBeforeOptional.has(previous)) open.push(image);
    else if (closingBrackets.has(image)) closeBracket(open, image);
    deepest = Math.max(deepest, open.length);
    previous = image;
  }
  return deepest;
};

/** Closes the innermost open bracket. A closing bracket of another kind is ignored. */
const closeBracket = (open: string[], image: string): void => {
  let innermost = open.length - 1;
  while (open[innermost] === '?') innermost--;
  if (open[innermost] === image) open.length = innermost;
};

const closingBracketOf: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
const closingBrackets: ReadonlySet<string> = new Set(closingBracketOf.values());
/**
 * A question mark after one of these tokens marks an optional; elsewhere it is a conditional
 * operator.
 */
const tokensBeforeOptional: ReadonlySet<string> = new Set(['.', '[', '{', ',']);
