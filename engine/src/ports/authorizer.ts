/** May this identity do this? Asked after authentication, by endpoints and by impersonation. */
import type { UserInfo } from '../model/user-info.ts';

export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
}

export interface AuthorizationRequest {
  readonly user: UserInfo;
  readonly resource?: ResourceAttributes;
  /** For requests that name no resource. */
  readonly nonResource?: { readonly verb: string; readonly path: string };
}

export interface Authorization {
  readonly allowed: boolean;
  /** Why, in the real server's words; stands at the end of a refusal where it is not empty. */
  readonly reason: string;
  /** What kept the question from being answered; never sent to the client, and never allowed. */
  readonly error?: string;
}

export interface Authorizer {
  authorize(request: AuthorizationRequest): Authorization | Promise<Authorization>;
}
