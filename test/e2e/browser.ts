/**
 * Types for the part of playwright-core that the suite uses. The package is installed outside of
 * the project with the other heavy tools, so its own types are not available.
 */
export interface Locator {
  first(): Locator;
  last(): Locator;
  nth(index: number): Locator;
  locator(selector: string, options?: TextFilter): Locator;
  filter(options: TextFilter): Locator;
  click(options?: ClickOptions): Promise<void>;
  dblclick(options?: ClickOptions): Promise<void>;
  hover(options?: ClickOptions): Promise<void>;
  fill(text: string, options?: { readonly timeout: number }): Promise<void>;
  press(key: string): Promise<void>;
  focus(): Promise<void>;
  selectOption(value: string | { readonly label: string }): Promise<unknown>;
  waitFor(options?: { readonly state?: ElementState; readonly timeout?: number }): Promise<void>;
  isVisible(): Promise<boolean>;
  count(): Promise<number>;
  allInnerTexts(): Promise<readonly string[]>;
  innerText(): Promise<string>;
  inputValue(): Promise<string>;
  boundingBox(): Promise<(Size & { readonly x: number; readonly y: number }) | null>;
  getAttribute(name: string): Promise<string | null>;
  evaluate(code: string): Promise<unknown>;
}

export type ElementState = 'attached' | 'detached' | 'visible' | 'hidden';

export interface TextFilter {
  readonly hasText?: string | RegExp;
  readonly has?: Locator;
}

export interface ClickOptions {
  readonly timeout?: number;
  readonly force?: boolean;
  readonly button?: 'left' | 'right';
  readonly position?: { readonly x: number; readonly y: number };
}

/** A document: a page, or a frame in it. */
export interface Frame {
  url(): string;
  locator(selector: string, options?: TextFilter): Locator;
  /** Evaluates an expression, or statements that end with one. */
  evaluate(code: string): Promise<unknown>;
  frameElement(): Promise<ElementHandle>;
  parentFrame(): Frame | null;
  isDetached(): boolean;
}

export interface ElementHandle {
  isVisible(): Promise<boolean>;
}

export interface Page extends Omit<Frame, 'frameElement' | 'parentFrame' | 'isDetached'> {
  readonly keyboard: {
    press(keys: string): Promise<void>;
    type(text: string, options?: { readonly delay: number }): Promise<void>;
    insertText(text: string): Promise<void>;
  };
  readonly mouse: {
    move(x: number, y: number, options?: { readonly steps: number }): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
  };
  reload(): Promise<unknown>;
  goto(address: string): Promise<unknown>;
  frames(): readonly Frame[];
  screenshot(options: { readonly path: string }): Promise<unknown>;
  setViewportSize(size: Size): Promise<void>;
  emulateMedia(options: { readonly colorScheme: 'light' | 'dark' }): Promise<void>;
  waitForTimeout(milliseconds: number): Promise<void>;
  on(event: 'pageerror', listener: (error: Error) => void): void;
  on(event: 'console', listener: (message: ConsoleMessage) => void): void;
  close(): Promise<void>;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface ConsoleMessage {
  type(): string;
  text(): string;
}

export interface BrowserContext {
  newPage(): Promise<Page>;
  pages(): readonly Page[];
  setDefaultTimeout(milliseconds: number): void;
  grantPermissions(names: readonly string[], options?: { readonly origin: string }): Promise<void>;
  newCDPSession(
    page: Page,
  ): Promise<{ send(method: string, parameters?: object): Promise<unknown> }>;
  on(event: 'request', listener: (request: { url(): string }) => void): void;
  close(): Promise<void>;
}

export interface Chromium {
  launchPersistentContext(folder: string, options: object): Promise<BrowserContext>;
}
