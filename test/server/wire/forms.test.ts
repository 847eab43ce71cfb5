/** Names with unusual characters in each response format, as kube-apiserver writes them. */
import { expect, test } from 'vitest';
import type { OutputMap } from '../../../engine/src/formats/output-value.ts';
import { writeYaml } from '../../../engine/src/formats/write-yaml.ts';
import { writeJson } from '../../../engine/src/server/wire/write-json.ts';
import { writeProtobuf } from '../../../engine/src/server/wire/write-protobuf.ts';
import { selfSubjectReviewObject } from '../../../engine/src/server/wire/write-review.ts';
import { cases } from '../../support/cases.ts';

interface User {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
}
interface Forms {
  readonly json: string;
  readonly yaml: string;
  /** Hexadecimal, with TIME in place of the bytes of the time. */
  readonly protobuf: string;
}

const head = { kind: 'SelfSubjectReview', apiVersion: 'authentication.k8s.io/v1' };
const createdAt = Date.UTC(2026, 10, 21, 12);

test.each(cases<User, Forms>('conformance/lab/forms.jsonl'))('$id', ({ input, expected }) => {
  const object = selfSubjectReviewObject(head, { createdAt, user: { ...input, extra: new Map() } });
  expect(forms(object)).toEqual(expected);
});

const forms = (object: OutputMap): Forms => {
  const time = /2026-11-21T12:00:00Z/;
  const protobuf = Buffer.from(writeProtobuf(object) ?? []).toString('hex');
  return {
    json: writeJson(object).replace(time, 'TIME'),
    yaml: writeYaml(object).replace(time, 'TIME'),
    // Field 1 with five bytes of seconds, field 2 with zero nanoseconds.
    protobuf: protobuf.replace(/08[89a-f].[89a-f].[89a-f].[89a-f]...1000/, '54494d45'),
  };
};
