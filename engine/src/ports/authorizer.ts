/** May this identity do this? Asked after authentication, by endpoints and by impersonation. */
import type { UserInfo } from '../model/user-info.ts';

/** What is to be done with which object. */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** The question: one of the two, resource or path, is asked about. */
export interface AuthorizationRequest {
  readonly user: UserInfo;
  readonly resource?: ResourceAttributes;
  /** For requests that name no resource. */
  readonly nonResource?: { readonly verb: string; readonly path: string };
}

/** The answer. */
export interface Authorization {
  readonly allowed: boolean;
  /** Why, in the real server's words; stands at the end of a refusal where it is not empty. */
  readonly reason: string;
  /**
   * What kept the question from being answered; such an answer never allows. A refused impersonation
   * tells it to the client, as the real server does; any other request is answered 500 without it.
   */
  readonly error?: string;
}

/** Whoever answers: roles, or allowing all. */
export interface Authorizer {
  authorize(request: AuthorizationRequest): Authorization | Promise<Authorization>;
}
