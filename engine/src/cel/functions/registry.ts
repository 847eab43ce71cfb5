/** All function libraries, in the order in which the real environment loads them. */
import type { Release } from '../../model/release.ts';
import { authorizationLibrary } from './authorization.ts';
import { cidrLibrary } from './cidr.ts';
import { comprehensionsLibrary } from './comprehensions.ts';
import { encodersLibrary } from './encoders.ts';
import { formatLibrary } from './format.ts';
import { ipLibrary } from './ip.ts';
import { kubernetesListsLibrary } from './kubernetes-lists.ts';
import type { CelLibrary } from './library.ts';
import { listsLibrary } from './lists.ts';
import { mathLibrary } from './math.ts';
import { optionalsLibrary } from './optionals.ts';
import { quantityLibrary } from './quantity.ts';
import { regexLibrary } from './regex.ts';
import { semverLibrary } from './semver.ts';
import { setsLibrary } from './sets.ts';
import { standardLibrary } from './standard.ts';
import { stringsLibrary } from './strings.ts';
import { stringsLatestLibrary } from './strings-latest.ts';
import { urlsLibrary } from './urls.ts';

/** The libraries of the authentication environments. A release has those that are not younger than it. */
export const libraries: readonly CelLibrary[] = [
  standardLibrary,
  urlsLibrary,
  regexLibrary,
  authorizationLibrary,
  optionalsLibrary,
  quantityLibrary,
  stringsLibrary,
  setsLibrary,
  ipLibrary,
  cidrLibrary,
  formatLibrary,
  comprehensionsLibrary,
  semverLibrary,
  listsLibrary,
  kubernetesListsLibrary,
];

/** First release whose environments have Kubernetes' own list functions behind all other functions. */
const kubernetesListsLastSince: Release = 37;

/** The libraries in the order of a release, which is that in which overloads of one function are tried. */
export const librariesInOrder = (
  release: Release,
  unordered: readonly CelLibrary[],
): readonly CelLibrary[] => {
  if (release >= kubernetesListsLastSince || !unordered.includes(kubernetesListsLibrary))
    return unordered;
  const others = unordered.filter((library) => library !== kubernetesListsLibrary);
  return others.toSpliced(others.indexOf(regexLibrary) + 1, 0, kubernetesListsLibrary);
};

/** Libraries of the language that no authentication environment has: selected by conformance tests. */
export const languageLibraries: readonly CelLibrary[] = [
  standardLibrary,
  optionalsLibrary,
  stringsLibrary,
  stringsLatestLibrary,
  comprehensionsLibrary,
  mathLibrary,
  encodersLibrary,
];
