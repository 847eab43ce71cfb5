/** Positions of the parts of a configuration. */
import type { AuthenticationConfiguration } from '../config/configuration.ts';
import { maxAuthenticators } from '../config/rules/authenticators.ts';
import type { Span } from '../source/span.ts';
import type { Origins } from './graph.ts';

/** Returns the position of every section, list entry and value under the path that messages use. */
export const originsOf = (configuration: AuthenticationConfiguration | undefined): Origins => {
  if (configuration === undefined) return new Map();
  const { jwt, anonymous } = configuration;
  return new Map([
    ...originsIn('jwt', jwt.slice(0, maxAuthenticators)),
    ...originsIn('anonymous', anonymous),
  ]);
};

/**
 * Returns the position of a field; that of its expression or claim is more precise than that of the
 * whole mapping or rule.
 */
export const originOfField = (origins: Origins | undefined, field: string): Span | undefined =>
  ['.expression', '.valueExpression', '.claim', '']
    .map((member) => origins?.get(field + member))
    .find((found) => found !== undefined);

type Origin = readonly [path: string, span: Span];

/** Returns the positions of a part and of the parts below it. */
const originsIn = (path: string, part: unknown): readonly Origin[] => {
  if (Array.isArray(part))
    return part.flatMap((item, index) => originsIn(`${path}[${index}]`, item));
  if (!isLocated(part)) return [];
  // The parts of a text are characters.
  if ('value' in part) return [[path, part.span]];
  return [
    [path, part.span],
    ...Object.entries(part).flatMap(([name, below]): readonly Origin[] =>
      name === 'audiencesSpan'
        ? [[`${path}.audiences`, below]]
        : originsIn(`${path}.${fileNames.get(name) ?? name}`, below),
    ),
  ];
};

const isLocated = (part: unknown): part is { readonly span: Span } =>
  typeof part === 'object' && part !== null && 'span' in part;

/** Names in the file that differ from those of the typed configuration. */
const fileNames: ReadonlyMap<string, string> = new Map([['discoveryUrl', 'discoveryURL']]);
