/**
 * Writes a .vsix: a zip of the extension with a manifest and a list of media types. The output is
 * reproducible with one version of Node.js: entries are sorted and have a fixed time.
 */
import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** Bytes or text by path in the extension, including `package.json`. */
export type PackedFiles = ReadonlyMap<string, string | Uint8Array>;

export interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly publisher: string;
  readonly displayName: string;
  readonly description: string;
  readonly icon?: string;
  readonly main?: string;
  readonly browser?: string;
  readonly engines: { readonly vscode: string };
  readonly galleryBanner?: { readonly color: string; readonly theme: string };
  readonly repository?: { readonly url: string };
  readonly bugs?: { readonly url: string };
  readonly homepage?: string;
  readonly keywords?: readonly string[];
  readonly categories?: readonly string[];
}

export const manifestOf = (files: PackedFiles): PackedManifest =>
  JSON.parse(textOf(files.get('package.json') ?? '{}'));

export const writeVsix = (files: PackedFiles): Promise<Buffer> => {
  const entries: readonly (readonly [string, string | Uint8Array])[] = [
    ['[Content_Types].xml', contentTypes([...files.keys(), 'extension.vsixmanifest'])],
    ['extension.vsixmanifest', vsixManifest(manifestOf(files), files)],
    ...[...files].map(([path, content]) => [`extension/${path}`, content] as const),
  ];
  const zip = new ZipFile();
  for (const [path, content] of [...entries].sort(([one], [other]) => (one < other ? -1 : 1))) {
    zip.addBuffer(Buffer.from(content), path, entryOptions);
  }
  zip.end();
  return buffer(zip.outputStream);
};

/** Zip stores local times, so a local date gives the same bytes in every time zone. */
const entryOptions = { mtime: new Date(2000, 0, 1), forceDosTimestamp: true, compressionLevel: 9 };

const textOf = (content: string | Uint8Array): string =>
  typeof content === 'string' ? content : new TextDecoder().decode(content);

const mediaTypes = new Map([
  ['.css', 'text/css'],
  ['.js', 'application/javascript'],
  ['.json', 'application/json'],
  ['.md', 'text/markdown'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain'],
  ['.vsixmanifest', 'text/xml'],
]);

const contentTypes = (paths: readonly string[]): string => {
  const extensions = [...new Set(paths.map((path) => extname(path)))].sort();
  const rows = extensions.map((extension) => {
    const type = mediaTypes.get(extension);
    if (type === undefined) throw new Error(`no media type is known for ${extension} files`);
    return `<Default Extension="${extension}" ContentType="${type}"/>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join('')}</Types>
`;
};

const vsixManifest = (manifest: PackedManifest, files: PackedFiles): string => {
  const { repository, bugs, homepage, galleryBanner } = manifest;
  const property = (id: string, value: string | undefined): string =>
    value === undefined
      ? ''
      : `<Property Id="Microsoft.VisualStudio.${id}" Value="${escaped(value)}"/>\n`;
  const asset = (type: string, path: string): string =>
    files.has(path)
      ? `<Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${escaped(path)}" Addressable="true"/>`
      : '';
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
<Metadata>
<Identity Language="en-US" Id="${escaped(manifest.name)}" Version="${escaped(manifest.version)}" Publisher="${escaped(manifest.publisher)}"/>
<DisplayName>${escaped(manifest.displayName)}</DisplayName>
<Description xml:space="preserve">${escaped(manifest.description)}</Description>
<Tags>${escaped(tagsOf(manifest).join(','))}</Tags>
<Categories>${escaped((manifest.categories ?? []).join(','))}</Categories>
<GalleryFlags>Public</GalleryFlags>
<Properties>
${[
  property('Code.Engine', manifest.engines.vscode),
  property('Code.ExtensionDependencies', ''),
  property('Code.ExtensionPack', ''),
  property('Code.ExtensionKind', extensionKinds(manifest)),
  property('Code.LocalizedLanguages', ''),
  property('Code.EnabledApiProposals', ''),
  property('Code.ExecutesCode', 'true'),
  property('Services.Branding.Color', galleryBanner?.color),
  property('Services.Branding.Theme', galleryBanner?.theme),
  property('Services.Content.Pricing', 'Free'),
  property('Services.GitHubFlavoredMarkdown', 'true'),
  property('Services.Links.Source', repository?.url),
  property('Services.Links.GitHub', repository?.url),
  property('Services.Links.Getstarted', repository?.url),
  property('Services.Links.Support', bugs?.url),
  property('Services.Links.Learn', homepage),
].join('')}</Properties>
${files.has('LICENSE.txt') ? '<License>extension/LICENSE.txt</License>' : ''}
${manifest.icon === undefined ? '' : `<Icon>extension/${escaped(manifest.icon)}</Icon>`}
</Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
<Dependencies/>
<Assets>
<Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
${asset('Services.Content.Details', 'README.md')}
${asset('Services.Content.Changelog', 'CHANGELOG.md')}
${asset('Services.Content.License', 'LICENSE.txt')}
${manifest.icon === undefined ? '' : asset('Services.Icons.Default', manifest.icon)}
</Assets>
</PackageManifest>
`;
};

/** Returns the words that the Marketplace finds the extension by, and its mark for browsers. */
const tagsOf = ({ keywords = [], browser }: PackedManifest): readonly string[] =>
  browser === undefined ? keywords : [...keywords, '__web_extension'];

/** Returns where the extension may run: with the workspace files, and in a browser. */
const extensionKinds = (manifest: PackedManifest): string =>
  [manifest.main && 'workspace', manifest.browser && 'web'].filter(Boolean).join(',');

const escaped = (text: string): string =>
  text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`);
