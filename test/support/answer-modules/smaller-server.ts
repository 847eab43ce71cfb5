/** The recorded stack serves the one API group, and lists its paths to who may ask for anything else. */
import { methodNotAllowed } from '../../../engine/src/model/api-error.ts';
import { statusObject } from '../../../engine/src/server/wire/status.ts';
import { writeJson } from '../../../engine/src/server/wire/write-json.ts';
import type { LogFields } from './audit-events.ts';
import type { ShownAnswer } from './stack-client.ts';

export interface StackAnswer extends ShownAnswer {
  readonly audit: readonly LogFields[];
}

interface Asked {
  readonly method: string;
  readonly target: string;
}

export const ofSmallerServer = (asked: Asked, answer: StackAnswer): StackAnswer => {
  const path = pathOf(asked);
  if (!answer.audit.some(isAllowed)) return answer;
  if (asked.method !== 'GET' && /^\/apis(?:\/authentication\.k8s\.io)?\/?$/.test(path)) {
    const { code, message } = methodNotAllowed;
    return told(asked, answer, {
      code,
      message,
      body: writeJson(statusObject(methodNotAllowed)),
    });
  }
  if (isServed(path)) return answer;
  const code = path === '/' || path === '/index.html' ? 200 : 404;
  return told(asked, answer, { code, message: '', body: JSON.stringify({ paths }, undefined, 2) });
};

const told = (
  { method }: Asked,
  { bodyBytes: _shown, ...answer }: StackAnswer,
  {
    code,
    message,
    body,
  }: { readonly code: number; readonly message: string; readonly body: string },
): StackAnswer => ({
  ...answer,
  audit: answer.audit.map((event) => ({ ...event, code, message })),
  body: method === 'HEAD' ? '' : body,
  headers: [
    ['Cache-Control', 'no-cache, private'],
    ['Content-Type', 'application/json'],
    ...answer.headers.filter(([name]) => name === 'Warning'),
  ],
  status: code,
});

const pathOf = ({ target }: Asked): string => {
  const [path = ''] = target.split(/[?#]/, 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

const isAllowed = ({ annotations }: LogFields): boolean =>
  (annotations as Record<string, string> | undefined)?.['authorization.k8s.io/decision'] ===
  'allow';

const health = (root: string): readonly string[] =>
  [
    '',
    '/log',
    '/ping',
    '/poststarthook/max-in-flight-filter',
    '/poststarthook/storage-object-count-tracker-hook',
  ].map((check) => `${root}${check}`);

const group = '/apis/authentication.k8s.io';

const paths: readonly string[] = [
  '/apis',
  group,
  `${group}/v1`,
  ...health('/healthz'),
  ...health('/livez'),
  '/metrics',
  '/metrics/slis',
  ...health('/readyz'),
  '/readyz/shutdown',
  '/statusz',
  '/version',
];

const isServed = (path: string): boolean =>
  paths.includes(path) ||
  path === '/apis/' ||
  /^(?:\/apis\/authentication\.k8s\.io|\/version|\/debug\/pprof)\//.test(path);
