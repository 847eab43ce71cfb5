/** The parse tree. */
import type { RuleName } from './grammar.ts';
import type { Token } from './tokens.ts';

/** Alternatives that can be replaced by their only child. */
const wrapperLabels: ReadonlySet<string> = new Set([
  'expr',
  'conditionalOr',
  'conditionalAnd',
  'relation',
  'calc',
  'MemberExpr',
  'PrimaryExpr',
  'ConstantLiteral',
]);

/** The parse tree of a rule; it is incomplete after errors. */
export class ParseNode {
  rule: RuleName;
  /** The label of the alternative; the name of the rule until it is known. */
  label: string;
  /** The label of this node in its parent rule. */
  role: string | undefined;
  readonly start: Token;
  /** End offset of the last token of the rule. */
  end: number;
  // Expressions can be long and most nodes have a single child, so the arrays are created on
  // demand.
  #children: ParseNode[] | undefined;
  #tokens: { readonly label: string; readonly token: Token }[] | undefined;

  constructor(rule: RuleName, role: string | undefined, start: Token) {
    this.rule = rule;
    this.label = rule;
    this.role = role;
    this.start = start;
    this.end = start.start;
  }

  get children(): readonly ParseNode[] {
    return this.#children ?? [];
  }

  addChild(node: ParseNode): void {
    this.#children ??= [];
    this.#children.push(node.#unwrapped());
  }

  /** Returns the only child instead of a node that just wraps it; most nodes do. */
  #unwrapped(): ParseNode {
    const child = this.#children?.[0];
    if (child === undefined || this.#children?.length !== 1) return this;
    if (this.#tokens !== undefined || !wrapperLabels.has(this.label)) return this;
    child.rule = this.rule;
    child.role = this.role;
    return child;
  }

  addToken(label: string, token: Token): void {
    this.#tokens ??= [];
    this.#tokens.push({ label, token });
  }

  /** Returns the first token with a label; tokens that were not matched are missing. */
  token(label: string): Token | undefined {
    return this.#tokens?.find((part) => part.label === label)?.token;
  }

  tokens(label: string): readonly Token[] {
    return (this.#tokens ?? []).flatMap((part) => (part.label === label ? [part.token] : []));
  }

  node(label: string): ParseNode | undefined {
    return this.#children?.find((child) => child.role === label);
  }

  nodes(label: string): readonly ParseNode[] {
    return this.children.filter((child) => child.role === label);
  }

  /** Returns the first child of a rule. */
  child(rule: RuleName): ParseNode | undefined {
    return this.#children?.find((child) => child.rule === rule);
  }
}
