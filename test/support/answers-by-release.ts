/** Recorded cases with an answer for each range of releases: one case per release. */
import { parseRelease, type Release, releaseName } from '../../engine/src/model/release.ts';
import { cases } from './cases.ts';

export interface ReleaseCase<Input, Expected> {
  readonly id: string;
  readonly shows: string;
  readonly input: Input;
  readonly release: Release;
  readonly releaseName: string;
  readonly expected: Expected;
}

interface Recorded<Input, Expected> {
  readonly id: string;
  readonly shows: string;
  readonly input: Input;
  readonly answers: readonly {
    readonly releases: readonly string[];
    readonly expected: Expected;
  }[];
}

/** Cases of a JSONL table under `test/`, in its order. */
export const answersByRelease = <Input, Expected>(
  path: string,
): readonly ReleaseCase<Input, Expected>[] =>
  cases(path).flatMap((recorded) => {
    const { id, shows, input, answers } = recorded as unknown as Recorded<Input, Expected>;
    return answers.flatMap(({ releases, expected }) =>
      releases.map((text) => {
        const release = parseRelease(text);
        if (release === undefined) throw new Error(`${id}: unknown release ${text}`);
        return { id, shows, input, release, releaseName: releaseName(release), expected };
      }),
    );
  });
