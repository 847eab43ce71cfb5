/** May this identity do this? Asked after authentication, by the review endpoints. */
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

export interface Authorizer {
  authorize(request: AuthorizationRequest): boolean | Promise<boolean>;
}
