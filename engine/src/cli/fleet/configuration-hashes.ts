/** Reads which configuration servers have loaded from their metrics, in the text format of Prometheus. */

/** The metric of kube-apiserver, since 1.34, and of `authgraph serve`. */
const configurationMetric = 'apiserver_authentication_config_controller_last_config_info';

/** A series of the metric. */
export interface LoadedConfigurationHash {
  /** `sha256:<hex>` of the file. */
  readonly hash: string;
  /** The other labels, such as the ID of the server and those that Prometheus adds. */
  readonly labels: ReadonlyMap<string, string>;
}

export type HashesReading =
  | { readonly kind: 'hashes'; readonly hashes: readonly LoadedConfigurationHash[] }
  /** The text is not a page of metrics. */
  | { readonly kind: 'error'; readonly problem: string };

/** Servers of one page; a page with more is not read. */
const maxServers = 10_000;

/** Returns the series of the metric; none if a server has loaded no configuration file. */
export const readConfigurationHashes = (text: string): HashesReading => {
  const hashes: LoadedConfigurationHash[] = [];
  let hasMetrics = false;
  for (let start = 0, lineNumber = 1; start < text.length; lineNumber += 1) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    start = end < 0 ? text.length : end + 1;
    const error = (problem: string): HashesReading => ({
      kind: 'error',
      problem: `line ${lineNumber}: ${problem}`,
    });
    if (isComment(line)) continue;
    if (!hasMetrics && !/^[a-zA-Z_:][\w:]{0,1000}[{ \t]/.test(line))
      return error('not a metric in the text format of Prometheus');
    hasMetrics = true;
    if (!isSeries(line)) continue;
    const series = readSeries(line.slice(configurationMetric.length));
    if (series === undefined) return error(`the metric ${configurationMetric} is malformed`);
    // A gauge that carries its information in labels has the value 1.
    if (series.value !== 1) continue;
    if (hashes.length === maxServers) return error(`more than ${maxServers} servers`);
    const labels = new Map(series.labels);
    const hash = labels.get('hash') ?? '';
    labels.delete('hash');
    hashes.push({ hash, labels });
  }
  return hasMetrics ? { kind: 'hashes', hashes } : { kind: 'error', problem: 'no metrics' };
};

const isComment = (line: string): boolean => line.startsWith('#') || line.trim() === '';

/** Returns whether a line is a series of the metric, and not of one with a longer name. */
const isSeries = (line: string): boolean =>
  line.startsWith(configurationMetric) &&
  /^[{ \t]/.test(line.slice(configurationMetric.length, configurationMetric.length + 1));

interface Series {
  readonly labels: ReadonlyMap<string, string>;
  readonly value: number;
}

/** Reads `{name="value",…} 1 1700000000`; a time may follow the value. */
const readSeries = (text: string): Series | undefined => {
  if (text.length > maxSeriesLength) return undefined;
  const labels = new Map<string, string>();
  const trimmed = text.trim();
  if (!trimmed.startsWith('{')) return { labels, value: numberOf(trimmed) };
  const label = /[ \t]*([a-zA-Z_]\w*)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*,?/y;
  let end = 1;
  label.lastIndex = end;
  for (let found = label.exec(trimmed); found !== null; found = label.exec(trimmed)) {
    const [, name = '', value = ''] = found;
    labels.set(name, unescapeLabel(value));
    end = label.lastIndex;
  }
  const rest = trimmed.slice(end).trimStart();
  return rest.startsWith('}') ? { labels, value: numberOf(rest.slice(1).trim()) } : undefined;
};

/** Characters of the labels of a series. */
const maxSeriesLength = 64 * 1024;

const numberOf = (text: string): number => {
  const [value = ''] = text.split(/[ \t]/, 1);
  return value === '' ? Number.NaN : Number(value);
};

const unescapeLabel = (text: string): string =>
  text.replace(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character));
