/** The review objects of the authentication API. */
import type { Secret } from './secret.ts';
import type { UserInfo } from './user-info.ts';

/** A review of the caller's own identity. Its input has no content. */
export interface SelfSubjectReview {
  readonly kind: 'SelfSubjectReview';
  readonly createdAt: number;
  readonly user: UserInfo;
}

/** A review of a token. */
export interface TokenReview {
  readonly kind: 'TokenReview';
  readonly spec: TokenReviewSpec;
  readonly status: TokenReviewStatus;
}

export interface TokenReviewSpec {
  readonly token: Secret<string>;
  readonly audiences: readonly string[];
}

export interface TokenReviewStatus {
  readonly authenticated: boolean;
  /** Absent if the token was not authenticated. */
  readonly user: UserInfo | undefined;
  readonly audiences: readonly string[];
  /** kube-apiserver's error message; empty if there is none. */
  readonly error: string;
}
