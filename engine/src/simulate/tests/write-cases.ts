/** Writes cases of a test file as YAML, and what a decision is as an expectation. */
import { formatRfc3339 } from '../../formats/go-rfc3339.ts';
import { ownMember } from '../../formats/json-with-shape.ts';
import type { OutputMap, OutputValue } from '../../formats/output-value.ts';
import { writeYaml } from '../../formats/write-yaml.ts';
import { tokenExpired } from '../../signed-token/token-rejections.ts';
import type { CaseOutcome } from './case-result.ts';
import type { TestCase } from './test-case.ts';

/** A case as maps that are written one after the other, because the writer sorts names. */
export type WrittenCase = readonly OutputMap[];

export type WrittenFields = Readonly<Record<string, OutputValue>>;

/** Returns the start of a new test file: what its reader should know, and the fields before its cases. */
export const startOfTestFile = (fields: OutputMap): string => `${header}${writeYaml(fields)}`;

const header = `# Run it: authgraph test
# These are the decisions of the configuration as it is: check that they are the ones that you want.
`;

export const caseOf = (name: string, input: WrittenFields, expect: WrittenFields): WrittenCase => [
  new Map([['name', name]]),
  new Map(Object.entries(input)),
  new Map([['expect', new Map(Object.entries(expect))]]),
];

/** Returns the cases as the items of a block list. */
export const writeCases = (cases: readonly WrittenCase[]): string =>
  cases
    .map((parts) => {
      const lines = parts
        .map((part) => writeYaml(part))
        .join('')
        .split('\n');
      return lines
        .map((line, at) => (at === 0 ? `- ${line}` : line === '' ? '' : `  ${line}`))
        .join('\n');
    })
    .join('\n');

/** Returns the expectation that exactly this decision meets. */
export const expectationOf = ({ decision, authenticator }: CaseOutcome): WrittenFields => {
  if (decision.kind === 'accepted') {
    const { username, uid, groups, extra } = decision.user;
    const user: OutputMap = new Map<string, OutputValue>([
      ['username', username],
      ...(uid === '' ? [] : [['uid', uid] as const]),
      ['groups', groups.filter((group) => group !== 'system:authenticated')],
      ...(extra.size === 0
        ? []
        : [['extra', new Map([...extra].map(([k, v]) => [k, [...v]]))] as const]),
    ]);
    return { user, by: authenticator };
  }
  const { code, at } = decision.kind === 'rejected' ? decision.reason : { code: '', at: undefined };
  const rejected = new Map([['code', code], ...(at === undefined ? [] : [['at', at] as const])]);
  return { rejected, by: authenticator };
};

/**
 * Returns the input of a case that names a sample. The clock of a test file is fixed; if the claims have
 * expired by then, the case is decided an hour before they expire.
 */
export const inputOfSample = (
  sample: string,
  { input }: TestCase,
  { decision }: CaseOutcome,
): WrittenFields => {
  const isExpired = decision.kind === 'rejected' && decision.reason.code === tokenExpired.code;
  const expires = input.kind === 'claims' ? ownMember(input.claims.claims, 'exp') : undefined;
  if (!isExpired || typeof expires !== 'number' || expires <= 0) return { sample };
  return { sample, now: formatRfc3339(Math.floor(expires) * 1000 - lifetimeMs) };
};

/** Most issuers use an hour. */
const lifetimeMs = 3_600_000;
