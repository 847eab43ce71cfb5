/** The parse tree: rules with the tokens and rules that they are made of. */
import type { RuleName } from './grammar.ts';
import type { Token } from './tokens.ts';

/** Alternatives that mean what their one part means. */
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

/** A rule that was read, or the part of it that was there. */
export class ParseNode {
  rule: RuleName;
  /** Which alternative; the rule's own name while that is unknown. */
  label: string;
  /** The label it has in the rule around it. */
  role: string | undefined;
  readonly start: Token;
  /** End of the last token that was read. */
  end: number;
  // Texts can be long and most nodes wrap one other: nothing is made before it is needed.
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

  /**
   * What a node that only wraps one other stands for: that other, in its place. Most nodes of a text
   * are of this kind.
   */
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

  /** First part of that label; a token that could not be matched is not there. */
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

  /** First part of that rule. */
  child(rule: RuleName): ParseNode | undefined {
    return this.#children?.find((child) => child.rule === rule);
  }
}
