/**
 * The grammar on chevrotain: a recovering parser whose concrete tree exists however broken the text.
 * It is flat (one rule for all binary operators, precedence comes with the tree), so that 250 nested
 * brackets fit on the stack, and a little wider than the language: what it accepts too much is
 * written down in `build-tree.ts`, which marks it.
 */
import { type CstNode, CstParser, type IToken, type ParserMethod } from 'chevrotain';
import * as t from './lexer.ts';

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

  constructor(options: { readonly skipValidations: boolean }) {
    super(t.allTokens, {
      recoveryEnabled: true,
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
export interface TokenReading {
  readonly tokens: IToken[];
  readonly comments: readonly IToken[];
  readonly broken: boolean;
}

/** The concrete tree, there for any text, and whether something was wrong. */
export interface ConcreteSyntax {
  readonly root: CstNode | undefined;
  readonly broken: boolean;
}

let grammar: CelGrammar | undefined;

/** Builds the grammar with chevrotain's own checks on; throws when they find something. */
export const validateGrammar = (): void => {
  new CelGrammar({ skipValidations: false });
};

/** Cuts a text. */
export const readTokens = (text: string): TokenReading => {
  const { tokens, groups, errors } = t.celLexer().tokenize(text);
  return { tokens, comments: groups['comments'] ?? [], broken: errors.length > 0 };
};

/** Tokens -> concrete tree, by the one parser of the process. */
export const readConcreteSyntax = (tokens: IToken[]): ConcreteSyntax => {
  grammar ??= new CelGrammar({ skipValidations: true });
  grammar.input = tokens;
  const root = grammar.expression();
  return { root, broken: grammar.errors.length > 0 };
};

/** How deep brackets and conditionals nest: what the parser needs stack for. */
export const nestingOf = (tokens: readonly IToken[]): number => {
  if (tokens.length < 60) return 0;
  let depth = 0;
  let deepest = 0;
  const conditionals: number[] = [0];
  let previous: IToken | undefined;
  for (const token of tokens) {
    if (opening.has(token.image)) {
      depth++;
      conditionals.push(0);
    } else if (closing.has(token.image)) {
      depth = Math.max(0, depth - 1 - (conditionals.pop() ?? 0));
      if (conditionals.length === 0) conditionals.push(0);
    } else if (token.image === '?' && !beforeOptional.has(previous?.image ?? '')) {
      depth++;
      conditionals.push((conditionals.pop() ?? 0) + 1);
    }
    deepest = Math.max(deepest, depth);
    previous = token;
  }
  return deepest;
};

const opening: ReadonlySet<string> = new Set(['(', '[', '{']);
const closing: ReadonlySet<string> = new Set([')', ']', '}']);
/** A question mark behind one of these asks for an optional; behind anything else, for a condition. */
const beforeOptional: ReadonlySet<string> = new Set(['.', '[', '{', ',']);
