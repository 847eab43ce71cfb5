/** All function libraries, in the order in which kube-apiserver adds them to its environments. */
import type { Release } from '../../model/release.ts';
import { authorizationLibrary } from './authorization.ts';
import { cidrLibrary } from './cidr.ts';
import { comprehensionsLibrary } from './comprehensions.ts';
import { formatLibrary } from './format.ts';
import { ipLibrary } from './ip.ts';
import { kubernetesListsLibrary } from './kubernetes-lists.ts';
import type { CelLibrary } from './library.ts';
import { listsLibrary } from './lists.ts';
import { optionalsLibrary } from './optionals.ts';
import { quantityLibrary } from './quantity.ts';
import { regexLibrary } from './regex.ts';
import { semverLibrary } from './semver.ts';
import { setsLibrary } from './sets.ts';
import { standardLibrary } from './standard.ts';
import { stringsLibrary } from './strings.ts';
import { urlsLibrary } from './urls.ts';

/**
 * The libraries of the authentication environments. A release has those that it or an earlier
 * release added.
 */
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

/**
 * The first release whose environments add Kubernetes' list functions after all other functions.
 */
const kubernetesListsLastSince: Release = 37;

/** Returns the libraries in the order of a release, in which overloads of a function are tried. */
export const librariesInOrder = (
  release: Release,
  unordered: readonly CelLibrary[],
): readonly CelLibrary[] => {
  if (release >= kubernetesListsLastSince || !unordered.includes(kubernetesListsLibrary))
    return unordered;
  const others = unordered.filter((library) => library !== kubernetesListsLibrary);
  return others.toSpliced(others.indexOf(regexLibrary) + 1, 0, kubernetesListsLibrary);
};
