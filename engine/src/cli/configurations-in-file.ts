/**
 * The configurations in a file, as the editor finds them: the whole file, some of its documents,
 * strings in other objects such as a ConfigMap, and the `--oidc-*` flags of kube-apiserver.
 */
import { type FlagInFile, serverFlagsIn, withServerFlags } from '../compile/flags-in-file.ts';
import { findConfigurations } from '../documents/embedded/find-configurations.ts';
import { nodeClock } from '../node/clock.ts';
import { checkOidcFlags } from '../simulate/advice/check-oidc-flags.ts';
import type { SourceFile } from '../source/source-file.ts';
import {
  type CompiledConfiguration,
  compileNested,
  type LoadOptions,
  limitsOfAdvice,
} from './compile-text.ts';

export interface ConfigurationInFile {
  /** `kube-system/auth/auth.yaml`, for example; empty for a document of its own. */
  readonly name: string;
  /** The offset in the file. */
  readonly start: number;
  /** Its own text; `undefined` for flags. */
  readonly text: string | undefined;
  /**
   * What a file with this configuration contains: the whole file, or the decoded value of a
   * ConfigMap; `undefined` for flags, and for a document after the first, which kube-apiserver
   * ignores.
   */
  readonly content: string | undefined;
  /** The flags that configure the authenticator instead of a text. */
  readonly flags: readonly FlagInFile[] | undefined;
  compile(): CompiledConfiguration;
}

/** Configurations of one file; a file with more is not read. */
export const maxConfigurationsInFile = 1000;

/** Returns the configurations in the order of the text. */
export const configurationsInFile = (
  file: SourceFile,
  options: LoadOptions,
): readonly ConfigurationInFile[] => {
  const most = maxConfigurationsInFile + 1;
  const settings = withServerFlags(options.settings, serverFlagsIn(file));
  const found = findConfigurations(file, { isDeclared: false, most, limits: options.limits });
  const texts = found.map(
    (nested): ConfigurationInFile => ({
      name: (nested.name ?? '').replaceAll(' · ', '/'),
      start: nested.toFile({ start: 0, end: 0 }).start,
      text: nested.source.text,
      content: nested.value ?? (nested.source === file ? file.text : undefined),
      flags: undefined,
      compile: () => compileNested(file, nested, { ...options, settings }),
    }),
  );
  return [...texts, ...flagsInFile(file, options)].toSorted((a, b) => a.start - b.start);
};

const flagsInFile = (file: SourceFile, { settings }: LoadOptions): readonly ConfigurationInFile[] =>
  checkOidcFlags(file, { settings, now: nodeClock().now(), limits: limitsOfAdvice }).map(
    (checked) => {
      const { flags, compilation, toFile } = checked;
      return {
        name: 'oidc-flags',
        start: flags[0]?.span.start ?? 0,
        text: undefined,
        content: undefined,
        flags,
        compile: () => ({
          kind: 'compiled',
          source: file,
          compilation,
          get diagnostics() {
            return checked.diagnostics;
          },
          toFile,
          diagnosticInFile: (own) => ({ ...own, span: toFile(own.span), related: [], fixes: [] }),
          editOfFile: undefined,
        }),
      };
    },
  );
