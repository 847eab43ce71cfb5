/**
 * The named formats of the Kubernetes API, with the check that each of them applies to a string.
 */
import {
  dns1035LabelProblems,
  dnsLabelProblems,
  dnsSubdomainProblems,
  labelKeyProblems,
  labelValueProblems,
} from '../../formats/api-names.ts';
import { requestUriProblem } from '../../formats/go-request-uri.ts';
import { encodeUtf8 } from '../../formats/utf8.ts';
import { CelObject, type CelResult, type CelValue, noSuchOverload } from './value.ts';

/** A named format, such as `dns1123Label`. */
export class CelFormat extends CelObject {
  readonly name: string;
  /** Returns what is wrong with a string; the result is empty for a valid one. */
  readonly problems: (text: string) => readonly string[];
  /** The length of the regular expression that the cost model assumes for the check. */
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

/** Replaces a trailing dash, which is valid in a prefix because a name continues after it. */
const maskTrailingDash =
  (problems: (text: string) => readonly string[]) =>
  (text: string): readonly string[] =>
    problems(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

const utf8Length = (text: string): number => encodeUtf8(text).length;

const uriProblems = (text: string): readonly string[] => {
  const problem = requestUriProblem(text);
  return problem === undefined ? [] : [problem];
};

const problemUnless =
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

/** Checks only the part between the first and the second `t` as the time. */
const isDateTime = (text: string): boolean => {
  const [date = '', time] = lowerCase(text).split('t');
  if (utf8Length(text) < 4 || time === undefined || !isDate(date)) return false;
  const match =
    /^([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[^\n][0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})$/u.exec(time);
  const [, hour = '', minute = '', second = ''] = match ?? [];
  return match !== null && hour <= '23' && minute <= '59' && second <= '59';
};

const lowerCase = (text: string): string => text.toLowerCase();

const dateTimeRegexSize = 71;

/** The formats by the name that an expression uses: `format.dns1123Label`. */
export const namedFormats: ReadonlyMap<string, CelFormat> = new Map([
  ['dns1123Label', new CelFormat('DNS1123Label', 30, dnsLabelProblems)],
  ['dns1123Subdomain', new CelFormat('DNS1123Subdomain', 60, dnsSubdomainProblems)],
  ['dns1035Label', new CelFormat('DNS1035Label', 30, dns1035LabelProblems)],
  ['qualifiedName', new CelFormat('QualifiedName', 60, labelKeyProblems)],
  [
    'dns1123LabelPrefix',
    new CelFormat('DNS1123LabelPrefix', 30, maskTrailingDash(dnsLabelProblems)),
  ],
  [
    'dns1123SubdomainPrefix',
    new CelFormat('DNS1123SubdomainPrefix', 60, maskTrailingDash(dnsSubdomainProblems)),
  ],
  [
    'dns1035LabelPrefix',
    new CelFormat('DNS1035LabelPrefix', 30, maskTrailingDash(dns1035LabelProblems)),
  ],
  ['labelValue', new CelFormat('LabelValue', 40, labelValueProblems)],
  ['uri', new CelFormat('URI', 1103, uriProblems)],
  ['uuid', new CelFormat('uuid', 70, problemUnless(isUuid, 'does not match the UUID format'))],
  ['byte', new CelFormat('byte', 84, problemUnless(isBase64, 'invalid base64'))],
  ['date', new CelFormat('date', dateTimeRegexSize, problemUnless(isDate, 'invalid date'))],
  [
    'datetime',
    new CelFormat('datetime', dateTimeRegexSize, problemUnless(isDateTime, 'invalid datetime')),
  ],
]);
