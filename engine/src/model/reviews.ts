/** The review objects: a question about an identity, answered in its status. */
import type { Secret } from './secret.ts';
import type { UserInfo } from './user-info.ts';

/** Who does the server say I am? The question itself says nothing that the answer keeps. */
export interface SelfSubjectReview {
  readonly kind: 'SelfSubjectReview';
  readonly createdAt: number;
  readonly user: UserInfo;
}

/** Whose token is this? */
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
  /** Absent when nobody was authenticated. */
  readonly user: UserInfo | undefined;
  readonly audiences: readonly string[];
  /** The real server's text; empty when there is nothing to say. */
  readonly error: string;
}
