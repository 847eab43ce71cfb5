/** The authorization port. Endpoints and impersonation call it after authentication. */
import type { UserInfo } from '../model/user-info.ts';

/** The action and the object it applies to. */
export interface ResourceAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** The attributes to authorize: of a resource or of a path. */
export interface AuthorizationRequest {
  readonly user: UserInfo;
  readonly resource?: ResourceAttributes;
  /** Set for requests that are not for a resource. */
  readonly nonResource?: { readonly verb: string; readonly path: string };
}

/** The decision of an authorizer. */
export interface Authorization {
  readonly allowed: boolean;
  /**
   * The reason, in kube-apiserver's words; if it is not empty it is appended to the message of a
   * 403.
   */
  readonly reason: string;
  /**
   * Why the attributes could not be evaluated; `allowed` is then false. Sent to the client only for
   * a denied impersonation, as in kube-apiserver; other requests get a 500 without it.
   */
  readonly error?: string;
}

/** An authorizer: RBAC, or one that allows everything. */
export interface Authorizer {
  authorize(request: AuthorizationRequest): Authorization | Promise<Authorization>;
}
