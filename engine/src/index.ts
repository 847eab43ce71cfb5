/** The pure door: compile a configuration, link a graph. */
export type { Diagnostic } from './diagnostics/diagnostic.ts';
export type { Decision } from './model/decision.ts';
export type { UserInfo } from './model/user-info.ts';
