// Writes a .vsix: a zip of the extension with a manifest and a list of media types. The same files give
// the same bytes on every machine: sorted, at a fixed time, compressed by one library.
import { extname } from 'node:path';
import { strToU8, zipSync } from 'fflate';

/** Zip keeps local times, so this is one of the local zone: its bytes are the same in all of them. */
const anyTime = new Date(2000, 0, 1);

/** `files`: bytes or text by path inside the extension, `package.json` among them. */
export const writeVsix = (files) => {
  const manifest = JSON.parse(textOf(files.get('package.json')));
  const entries = new Map([
    ['[Content_Types].xml', contentTypes([...files.keys(), 'extension.vsixmanifest'])],
    ['extension.vsixmanifest', vsixManifest(manifest, files)],
    ...[...files].map(([path, content]) => [`extension/${path}`, content]),
  ]);
  const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
  const zipped = sorted.map(([path, content]) => [
    path,
    [typeof content === 'string' ? strToU8(content) : content, { mtime: anyTime, level: 9 }],
  ]);
  return zipSync(Object.fromEntries(zipped));
};

const textOf = (content) =>
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

const contentTypes = (paths) => {
  const endings = [...new Set(paths.map((path) => extname(path)))].sort();
  const rows = endings.map((ending) => {
    const type = mediaTypes.get(ending);
    if (type === undefined) throw new Error(`no media type is known for ${ending} files`);
    return `<Default Extension="${ending}" ContentType="${type}"/>`;
  });
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join('')}</Types>
`;
};

const vsixManifest = (manifest, files) => {
  const property = (id, value) =>
    `<Property Id="Microsoft.VisualStudio.${id}" Value="${escaped(value)}"/>`;
  const asset = (type, path) =>
    files.has(path)
      ? `<Asset Type="Microsoft.VisualStudio.${type}" Path="extension/${escaped(path)}" Addressable="true"/>`
      : '';
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
<Metadata>
<Identity Language="en-US" Id="${escaped(manifest.name)}" Version="${escaped(manifest.version)}" Publisher="${escaped(manifest.publisher)}"/>
<DisplayName>${escaped(manifest.displayName)}</DisplayName>
<Description xml:space="preserve">${escaped(manifest.description)}</Description>
<Tags>${escaped((manifest.keywords ?? []).join(','))}</Tags>
<Categories>${escaped((manifest.categories ?? []).join(','))}</Categories>
<GalleryFlags>Public</GalleryFlags>
<Properties>
${property('Code.Engine', manifest.engines.vscode)}
${property('Code.ExtensionDependencies', (manifest.extensionDependencies ?? []).join(','))}
${property('Code.ExtensionPack', (manifest.extensionPack ?? []).join(','))}
${property('Code.ExtensionKind', extensionKinds(manifest))}
${property('Code.LocalizedLanguages', '')}
${property('Services.GitHubFlavoredMarkdown', 'true')}
</Properties>
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

/** Where it may run: beside the files, and in a browser. */
const extensionKinds = (manifest) =>
  [manifest.main && 'workspace', manifest.browser && 'web'].filter(Boolean).join(',');

const escaped = (text) => text.replace(/[<>&"']/g, (character) => `&#${character.codePointAt(0)};`);
