/**
 * What clients ask and what the right answers are. Whoever makes a question knows who its token is;
 * every answer is held against that (G1: no wrong allow, G2: no error but 503 with Retry-After).
 */

export interface Question {
  /** Names it in findings. */
  readonly name: string;
  readonly token?: string;
  readonly headers?: readonly (readonly [string, string])[];
  /** `ada [team]` for a user with its groups, `401` or `403` for a refusal. Others are faults. */
  readonly expected: readonly string[];
  /** Not asked at the usual path. */
  readonly path?: string;
}

export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: boolean;
}

/** An answer as one text: `ada [team]`, `401`, `503`. */
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

/** The name that a 403 is told to. */
const forbiddenName = ({ status, body }: Answer): string | undefined =>
  status === 403 ? /User \\?"([^"\\]*)\\?"/.exec(body)?.[1] : undefined;

/** Refused: somebody known was not let in. That is a fault of readiness, never of safety. */
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
  /** Connections that ended without an answer. */
  readonly broken: number;
  /** The first ones that were not right. */
  readonly findings: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Where asked for: [asked at, answered at, question, answer], in milliseconds of the wall clock. */
  readonly history: readonly (readonly [number, number, string, string])[];
}
