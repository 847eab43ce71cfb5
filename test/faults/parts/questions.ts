/**
 * Questions of clients and their expected answers. The author of a question knows the identity of
 * its token; every response is compared with it (G1: no wrong acceptance, G2: no error but 503 with
 * Retry-After).
 */

export interface Question {
  /** The name in findings. */
  readonly name: string;
  readonly token?: string;
  readonly headers?: readonly (readonly [string, string])[];
  /** `ada [team]` for a user with its groups, `401` or `403` for a rejection. Others are faults. */
  readonly expected: readonly string[];
  /** A path other than the usual one. */
  readonly path?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: boolean;
}

/** Formats a response: `ada [team]`, `401`, `503`. */
export const answerText = ({ status, body }: Answer): string => {
  if (status !== 201) return String(status);
  try {
    const { userInfo = {} } = JSON.parse(body).status ?? {};
    const groups = (userInfo.groups ?? []).filter(
      (name: string) => name !== 'system:authenticated',
    );
    return `${userInfo.username} [${groups.join(' ')}]`;
  } catch {
    return '201 without a review';
  }
};

export type Verdict = 'right' | 'wrong allow' | 'refused' | 'shed' | 'error';

/** Returns the user in a 403. */
const forbiddenName = ({ status, body }: Answer): string | undefined =>
  status === 403 ? /User \\?"([^"\\]*)\\?"/.exec(body)?.[1] : undefined;

/**
 * Classifies a response. `refused`: a valid user was rejected, which is a fault of availability,
 * never of safety.
 */
export const checkAnswer = ({ expected: right }: Question, answer: Answer): Verdict => {
  if (right.includes(answerText(answer))) return 'right';
  if (answer.status === 201) return 'wrong allow';
  const name = forbiddenName(answer);
  if (name !== undefined && name !== 'system:anonymous') {
    return right.some((one) => one.startsWith(`${name} [`)) ? 'refused' : 'wrong allow';
  }
  if (answer.status === 429 || answer.status === 503) return answer.retryAfter ? 'shed' : 'error';
  return answer.status >= 500 ? 'error' : 'refused';
};

export interface Tally {
  readonly asked: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Connections that ended without a response. */
  readonly broken: number;
  /** The first unexpected responses. */
  readonly findings: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** The history on request: [sent at, answered at, question, answer], in milliseconds of the wall clock. */
  readonly history: readonly (readonly [number, number, string, string])[];
}
