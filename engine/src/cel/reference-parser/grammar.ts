/**
 * cel-go's ANTLR grammar (`CEL.g4`) as data. Each branch has the kind of decision that ANTLR
 * generated
 * for it: `lookahead` decides by one token, `predict` by adaptive prediction. The kind determines
 * which error is reported, and where.
 */

/** The token type of the end of input. */
export const endOfInput = -1;
/** The names of the token types. Messages list expected tokens in this order. */
export const tokenNames: readonly string[] = [
  '<INVALID>',
  "'=='",
  "'!='",
  "'in'",
  "'<'",
  "'<='",
  "'>='",
  "'>'",
  "'&&'",
  "'||'",
  "'['",
  "']'",
  "'{'",
  "'}'",
  "'('",
  "')'",
  "'.'",
  "','",
  "'-'",
  "'!'",
  "'?'",
  "':'",
  "'+'",
  "'*'",
  "'/'",
  "'%'",
  "'true'",
  "'false'",
  "'null'",
  'WHITESPACE',
  'COMMENT',
  'NUM_FLOAT',
  'NUM_INT',
  'NUM_UINT',
  'STRING',
  'BYTES',
  'IDENTIFIER',
  'ESC_IDENTIFIER',
];

/** Returns the token type of a name: 1 for `'=='`, 36 for `IDENTIFIER`. */
export const tokenType = (name: string): number => {
  const index = tokenNames.indexOf(name);
  if (index < 0) throw new Error(`unreachable: unknown token ${name}`);
  return index;
};

/** Reports whether all tokens of a type have the same text; their names are quoted. */
export const hasFixedText = (type: number): boolean => (tokenNames[type] ?? '').startsWith("'");

export const ruleNames = [
  'start',
  'expr',
  'conditionalOr',
  'conditionalAnd',
  'relation',
  'calc',
  'unary',
  'member',
  'primary',
  'exprList',
  'listInit',
  'fieldInitializerList',
  'optField',
  'mapInitializerList',
  'escapeIdent',
  'optExpr',
  'literal',
] as const;

export type RuleName = (typeof ruleNames)[number];

export type Element =
  | { readonly kind: 'token'; readonly type: number; readonly label: string | undefined }
  | { readonly kind: 'set'; readonly types: readonly number[]; readonly label: string }
  | {
      readonly kind: 'rule';
      readonly rule: RuleName;
      readonly label: string | undefined;
      readonly precedence: number;
    }
  | { readonly kind: 'optional'; readonly body: readonly Element[] }
  | {
      readonly kind: 'star';
      readonly by: 'lookahead' | 'predict';
      readonly body: readonly Element[];
    }
  | {
      readonly kind: 'plus';
      readonly by: 'lookahead' | 'predict';
      readonly body: readonly Element[];
    };

export interface Alternative {
  readonly label: string;
  readonly elements: readonly Element[];
}

/** An alternative of a left-recursive rule that continues after its left operand. */
export interface Continuation extends Alternative {
  readonly precedence: number;
}

export type Rule =
  | { readonly kind: 'plain'; readonly elements: readonly Element[] }
  | {
      readonly kind: 'choice';
      readonly by: 'lookahead' | 'predict';
      readonly alternatives: readonly Alternative[];
    }
  | {
      readonly kind: 'recursive';
      readonly label: string;
      readonly first: RuleName;
      readonly continuations: readonly Continuation[];
    };

const token = (name: string, label?: string): Element => ({
  kind: 'token',
  type: name === 'EOF' ? endOfInput : tokenType(name),
  label,
});
const rule = (name: RuleName, label?: string, precedence = 0): Element => ({
  kind: 'rule',
  rule: name,
  label,
  precedence,
});
const oneOf = (label: string, names: readonly string[]): Element => ({
  kind: 'set',
  types: names.map(tokenType),
  label,
});
const optional = (...body: readonly Element[]): Element => ({ kind: 'optional', body });
const star = (by: 'lookahead' | 'predict', ...body: readonly Element[]): Element => ({
  kind: 'star',
  by,
  body,
});
const plus = (by: 'lookahead' | 'predict', ...body: readonly Element[]): Element => ({
  kind: 'plus',
  by,
  body,
});
const plain = (...elements: readonly Element[]): Rule => ({ kind: 'plain', elements });
const alternative = (label: string, ...elements: readonly Element[]): Alternative => ({
  label,
  elements,
});

const entry = (key: Element): readonly Element[] => [
  key,
  token("':'", 'cols'),
  rule('expr', 'values'),
];

export const grammar: Readonly<Record<RuleName, Rule>> = {
  start: plain(rule('expr', 'e'), token('EOF')),
  expr: plain(
    rule('conditionalOr', 'e'),
    optional(token("'?'", 'op'), rule('conditionalOr', 'e1'), token("':'"), rule('expr', 'e2')),
  ),
  conditionalOr: plain(
    rule('conditionalAnd', 'e'),
    star('lookahead', token("'||'", 'ops'), rule('conditionalAnd', 'e1')),
  ),
  conditionalAnd: plain(
    rule('relation', 'e'),
    star('lookahead', token("'&&'", 'ops'), rule('relation', 'e1')),
  ),
  relation: {
    kind: 'recursive',
    label: 'relation',
    first: 'calc',
    continuations: [
      {
        label: 'relation',
        precedence: 1,
        elements: [
          oneOf('op', ["'<'", "'<='", "'>='", "'>'", "'=='", "'!='", "'in'"]),
          rule('relation', undefined, 2),
        ],
      },
    ],
  },
  calc: {
    kind: 'recursive',
    label: 'calc',
    first: 'unary',
    continuations: [
      {
        label: 'calc',
        precedence: 2,
        elements: [oneOf('op', ["'*'", "'/'", "'%'"]), rule('calc', undefined, 3)],
      },
      {
        label: 'calc',
        precedence: 1,
        elements: [oneOf('op', ["'+'", "'-'"]), rule('calc', undefined, 2)],
      },
    ],
  },
  unary: {
    kind: 'choice',
    by: 'predict',
    alternatives: [
      alternative('MemberExpr', rule('member')),
      alternative('LogicalNot', plus('lookahead', token("'!'", 'ops')), rule('member')),
      alternative('Negate', plus('predict', token("'-'", 'ops')), rule('member')),
    ],
  },
  member: {
    kind: 'recursive',
    label: 'PrimaryExpr',
    first: 'primary',
    continuations: [
      {
        label: 'Select',
        precedence: 3,
        elements: [token("'.'", 'op'), optional(token("'?'", 'opt')), rule('escapeIdent', 'id')],
      },
      {
        label: 'MemberCall',
        precedence: 2,
        elements: [
          token("'.'", 'op'),
          token('IDENTIFIER', 'id'),
          token("'('", 'open'),
          optional(rule('exprList', 'args')),
          token("')'"),
        ],
      },
      {
        label: 'Index',
        precedence: 1,
        elements: [
          token("'['", 'op'),
          optional(token("'?'", 'opt')),
          rule('expr', 'index'),
          token("']'"),
        ],
      },
    ],
  },
  primary: {
    kind: 'choice',
    by: 'predict',
    alternatives: [
      alternative('Ident', optional(token("'.'", 'leadingDot')), token('IDENTIFIER', 'id')),
      alternative(
        'GlobalCall',
        optional(token("'.'", 'leadingDot')),
        token('IDENTIFIER', 'id'),
        token("'('", 'op'),
        optional(rule('exprList', 'args')),
        token("')'"),
      ),
      alternative('Nested', token("'('"), rule('expr', 'e'), token("')'")),
      alternative(
        'CreateList',
        token("'['", 'op'),
        optional(rule('listInit', 'elems')),
        optional(token("','")),
        token("']'"),
      ),
      alternative(
        'CreateStruct',
        token("'{'", 'op'),
        optional(rule('mapInitializerList', 'entries')),
        optional(token("','")),
        token("'}'"),
      ),
      alternative(
        'CreateMessage',
        optional(token("'.'", 'leadingDot')),
        token('IDENTIFIER', 'ids'),
        star('lookahead', token("'.'", 'ops'), token('IDENTIFIER', 'ids')),
        token("'{'", 'op'),
        optional(rule('fieldInitializerList', 'entries')),
        optional(token("','")),
        token("'}'"),
      ),
      alternative('ConstantLiteral', rule('literal')),
    ],
  },
  exprList: plain(rule('expr', 'e'), star('lookahead', token("','"), rule('expr', 'e'))),
  listInit: plain(
    rule('optExpr', 'elems'),
    star('predict', token("','"), rule('optExpr', 'elems')),
  ),
  fieldInitializerList: plain(
    ...entry(rule('optField', 'fields')),
    star('predict', token("','"), ...entry(rule('optField', 'fields'))),
  ),
  optField: plain(optional(token("'?'", 'opt')), rule('escapeIdent')),
  mapInitializerList: plain(
    ...entry(rule('optExpr', 'keys')),
    star('predict', token("','"), ...entry(rule('optExpr', 'keys'))),
  ),
  escapeIdent: {
    kind: 'choice',
    by: 'lookahead',
    alternatives: [
      alternative('SimpleIdentifier', token('IDENTIFIER', 'id')),
      alternative('EscapedIdentifier', token('ESC_IDENTIFIER', 'id')),
    ],
  },
  optExpr: plain(optional(token("'?'", 'opt')), rule('expr', 'e')),
  literal: {
    kind: 'choice',
    by: 'predict',
    alternatives: [
      alternative('Int', optional(token("'-'", 'sign')), token('NUM_INT', 'tok')),
      alternative('Uint', token('NUM_UINT', 'tok')),
      alternative('Double', optional(token("'-'", 'sign')), token('NUM_FLOAT', 'tok')),
      alternative('String', token('STRING', 'tok')),
      alternative('Bytes', token('BYTES', 'tok')),
      alternative('BoolTrue', token("'true'", 'tok')),
      alternative('BoolFalse', token("'false'", 'tok')),
      alternative('Null', token("'null'", 'tok')),
    ],
  },
};
