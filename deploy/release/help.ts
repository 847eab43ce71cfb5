/** The texts of `npm run release`. */
import { platforms } from './executables/platforms.ts';
import { partNames } from './release.ts';

export const help = `Usage: npm run release -- --dry-run [flags]

Builds everything that a release needs into one folder, from a commit, and checks it. Publishes nothing.

Flags:
  --dry-run           build; without it, the command only explains what a release does with the files
  --out DIR           folder of the results, empty or of an earlier run (default: deploy/release/out)
  --only LIST         parts, separated by commas (default: ${partNames.join(',')})
  --platform LIST     platforms of the executables (default: ${platforms.map(({ name }) => name).join(',')})
  --revision COMMIT   commit to build (default: HEAD; uncommitted changes are not part of the release)
  --help              prints this text

Parts:
  npm           packages for npm, checked by publint and attw, and run on the oldest supported Node.js
  vsix          the extension for VS Code
  image         the container image as an OCI layout in one file; needs GNU tar, apt-get and dpkg-deb
  chart         the Helm chart; needs Go, which builds helm once
  executables   one file for each platform, which needs no Node.js; those for macOS and Windows are not signed
  sbom          the bill of materials (CycloneDX)

Results, in addition to the parts:
  CHANGES.md                 the changes of the version, from CHANGELOG.md
  release.json               the list of files, and which of the programs in them this run has started
  provenance.intoto.json     the in-toto statement with SLSA provenance, not signed
  SHA256SUMS                 for sha256sum --check

Examples:
  npm run release -- --dry-run
  npm run release -- --dry-run --only npm,executables --platform linux-x64 --out /tmp/release
  npm run release -- --dry-run --revision "$(git stash create)"   # with uncommitted changes of tracked files
`;

export const explanation = `This command publishes nothing. Build the files of a release with --dry-run:

  npm run release -- --dry-run

The workflow .github/workflows/release.yml runs the same command for a tag and then
  1. signs: it attests SHA256SUMS and the statement in provenance.intoto.json with its own identity,
  2. creates a draft of a GitHub release with the files and the text of CHANGES.md.
A person reviews the draft and publishes it, and the packages, the image and the extension from its files:

  npm publish authgraph-engine-VERSION.tgz
  skopeo copy --all oci-archive:authgraph-VERSION.oci.tar docker://REGISTRY/authgraph:VERSION
  helm push authgraph-chart-VERSION.tgz oci://REGISTRY/charts
  npx @vscode/vsce publish --packagePath authgraph-VERSION.vsix
  npx ovsx publish authgraph-VERSION.vsix

See docs/releasing.md.
`;
