/** The formats of the API that have a name, and what they say about a text. */
import { encodeUtf8 } from '../formats/utf8.ts';
import { requestProblem } from './url-value.ts';
import { CelObject, type CelResult, type CelValue, noSuchOverload } from './value.ts';

/** A format with a name. */
export class CelFormat extends CelObject {
  readonly name: string;
  /** What is wrong with a text; empty when nothing is. */
  readonly problems: (text: string) => readonly string[];
  /** Length that the cost model takes its expression for. */
  readonly regexSize: number;
  constructor(name: string, regexSize: number, problems: (text: string) => readonly string[]) {
    super();
    this.name = name;
    this.problems = problems;
    this.regexSize = regexSize;
  }
  get typeName(): string {
    return 'kubernetes.NamedFormat';
  }
  override equals(other: CelValue): CelResult {
    return other instanceof CelFormat ? other.name === this.name : noSuchOverload;
  }
  override toString(): string {
    return this.name;
  }
}

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = `${label}(\\.${label})*`;
const label1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const key = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const isLabel = whole(label);
const isSubdomain = whole(subdomain);
const isLabel1035 = whole(label1035);
const isKey = whole(key);
const isLabelValue = whole(`(${key})?`);

const byteLength = (text: string): number => encodeUtf8(text).length;

const mismatch = (rule: string, pattern: string, examples: readonly string[]): string =>
  `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;

const limited = (text: string, limit: number): readonly string[] =>
  byteLength(text) > limit ? [`must be no more than ${limit} characters`] : [];

const labelProblems = (text: string): readonly string[] => [
  ...limited(text, 63),
  ...(isLabel.test(text) ? [] : [labelMismatch(text)]),
];

const labelMismatch = (text: string): string =>
  isSubdomain.test(text)
    ? 'must not contain dots'
    : mismatch(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
        label,
        ['my-name', '123-abc'],
      );

const subdomainRule =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";

const subdomainProblems = (text: string): readonly string[] => [
  ...limited(text, 253),
  ...(isSubdomain.test(text) ? [] : [mismatch(subdomainRule, subdomain, ['example.com'])]),
];

const label1035Problems = (text: string): readonly string[] => [
  ...limited(text, 63),
  ...(isLabel1035.test(text)
    ? []
    : [
        mismatch(
          "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
          label1035,
          ['my-name', 'abc-123'],
        ),
      ]),
];

/** A prefix may end in a dash, which something will follow. */
const asPrefix =
  (problems: (text: string) => readonly string[]) =>
  (text: string): readonly string[] =>
    problems(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

const keyRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const keyExamples = ['MyName', 'my.name', '123-abc'];

const qualifiedNameProblems = (text: string): readonly string[] => {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2) {
    return [
      `a valid label key ${mismatch(keyRule, key, keyExamples)} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems = second === undefined ? [] : prefixProblems(first);
  return [...problems, ...nameProblems(second ?? first)];
};

const prefixProblems = (prefix: string): readonly string[] => {
  if (prefix === '') return ['prefix part must be non-empty'];
  const long = byteLength(prefix) > 253 ? ['must be no more than 253 bytes'] : [];
  const wrong = isSubdomain.test(prefix)
    ? []
    : [mismatch(subdomainRule, subdomain, ['example.com'])];
  return [...long, ...wrong].map((problem) => `prefix part ${problem}`);
};

const nameProblems = (name: string): readonly string[] => {
  const size = byteLength(name);
  const sized =
    size === 0
      ? ['name part must be non-empty']
      : size > 63
        ? ['name part must be no more than 63 bytes']
        : [];
  return isKey.test(name) ? sized : [...sized, `name part ${mismatch(keyRule, key, keyExamples)}`];
};

const labelValueProblems = (text: string): readonly string[] => [
  ...(byteLength(text) > 63 ? ['must be no more than 63 bytes'] : []),
  ...(isLabelValue.test(text)
    ? []
    : [
        mismatch(
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
          `(${key})?`,
          ['MyValue', 'my_value', '12345'],
        ),
      ]),
];

const uriProblems = (text: string): readonly string[] => {
  const problem = requestProblem(text);
  return problem === undefined ? [] : [problem];
};

const unless =
  (test: (text: string) => boolean, problem: string) =>
  (text: string): readonly string[] =>
    test(text) ? [] : [problem];

const isUuid = (text: string): boolean =>
  /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text);

const isBase64 = (text: string): boolean =>
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text);

const isDate = (text: string): boolean => {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  const [year, month, day] = (match ?? []).slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

/** Only the part between the first and the second `t` is taken for the time. */
const isDateTime = (text: string): boolean => {
  const [date = '', time] = lowerCase(text).split('t');
  if (byteLength(text) < 4 || time === undefined || !isDate(date)) return false;
  const match =
    /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u.exec(time);
  const [, hour = '', minute = '', second = ''] = match ?? [];
  return match !== null && hour <= '23' && minute <= '59' && second <= '59';
};

const lowerCase = (text: string): string => text.toLowerCase();

const dateTimeSize = 71;

/** All of them, by the name that an expression says. */
export const namedFormats: ReadonlyMap<string, CelFormat> = new Map([
  ['dns1123Label', new CelFormat('DNS1123Label', 30, labelProblems)],
  ['dns1123Subdomain', new CelFormat('DNS1123Subdomain', 60, subdomainProblems)],
  ['dns1035Label', new CelFormat('DNS1035Label', 30, label1035Problems)],
  ['qualifiedName', new CelFormat('QualifiedName', 60, qualifiedNameProblems)],
  ['dns1123LabelPrefix', new CelFormat('DNS1123LabelPrefix', 30, asPrefix(labelProblems))],
  [
    'dns1123SubdomainPrefix',
    new CelFormat('DNS1123SubdomainPrefix', 60, asPrefix(subdomainProblems)),
  ],
  ['dns1035LabelPrefix', new CelFormat('DNS1035LabelPrefix', 30, asPrefix(label1035Problems))],
  ['labelValue', new CelFormat('LabelValue', 40, labelValueProblems)],
  ['uri', new CelFormat('URI', 1103, uriProblems)],
  ['uuid', new CelFormat('uuid', 70, unless(isUuid, 'does not match the UUID format'))],
  ['byte', new CelFormat('byte', 84, unless(isBase64, 'invalid base64'))],
  ['date', new CelFormat('date', dateTimeSize, unless(isDate, 'invalid date'))],
  ['datetime', new CelFormat('datetime', dateTimeSize, unless(isDateTime, 'invalid datetime'))],
]);
