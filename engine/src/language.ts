/** The door for editors: what there is to complete, to hover and to ask. */
export { catalogue, findInCatalogue } from './catalogue.ts';
export { pageUrl } from './diagnostics/page.ts';
export type { RuleDescription } from './diagnostics/rule.ts';
export { lint } from './lints/lint.ts';
export { type ExplainedLog, explainLog } from './simulate/explain-log.ts';
export type { WhoamiAnswer, WhoamiOptions } from './simulate/whoami-answer.ts';
export { type ClaimsOptions, whoamiClaims } from './simulate/whoami-claims.ts';
export { whoamiToken } from './simulate/whoami-token.ts';
