/**
 * The grammar on chevrotain, twice: strict for good text, recovering for broken text, whose concrete
 * tree exists all the same. It is flat (one rule for all binary operators, precedence comes with the
 * tree), which saves time and stack, and a little wider than the language: the pass in
 * `build-tree.ts` finds what it accepts too much.
 */
import { type CstNode, CstParser, type IToken, type ParserMethod } from 'chevrotain';
import * as t from '../tree/lexer.ts';

class CelGrammar extends CstParser {
  // Fields are assigned in the constructor, where the rules are defined in the order they call.
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

    // What stands between commas may be missing: a place that is empty keeps the others in theirs.
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

/** What cutting gives: tokens, comments beside them, and whether some characters were none. */
export interface TokenizeResult {
  readonly tokens: IToken[];
  readonly comments: readonly IToken[];
  readonly broken: boolean;
}

/** The concrete tree, there for any text, and whether something was wrong. */
export interface ConcreteSyntax {
  readonly root: CstNode | undefined;
  readonly broken: boolean;
}

let strictGrammar: CelGrammar | undefined;
let recoveringGrammar: CelGrammar | undefined;

/** Builds the grammar with chevrotain's own checks on; throws when they find something. */
export const validateGrammar = (): void => {
  new CelGrammar({ recoveryEnabled: true, skipValidations: false });
};

/** Cuts a text. */
export const tokenize = (text: string): TokenizeResult => {
  const { tokens, groups, errors } = t.celLexer().tokenize(text);
  return { tokens, comments: groups.comments ?? [], broken: errors.length > 0 };
};

/** Reads good text; the tree of other text is not whole. */
export const parseStrictly = (tokens: IToken[]): ConcreteSyntax => {
  strictGrammar ??= new CelGrammar({ recoveryEnabled: false, skipValidations: true });
  return parseWith(strictGrammar, tokens);
};

/**
 * Reads broken text as far as it can be understood. Recovery takes time and stack with every error:
 * callers keep the text short.
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

/** How deep brackets and conditionals nest: what the parser needs stack for. */
export const nestingDepth = (tokens: readonly IToken[]): number => {
  let deepest = 0;
  // What each open bracket is closed by, with a `?` for each conditional that is still open in it.
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

/** Closes the innermost bracket, if it is of that kind. One that does not fit closes nothing. */
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
/** A question mark behind one of these asks for an optional; behind anything else, for a condition. */
const tokensBeforeOptional: ReadonlySet<string> = new Set(['.', '[', '{', ',']);
