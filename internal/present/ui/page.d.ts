/** What a view is given of the page. */
export interface Page {
  root: string;
  operations: { name: string; brief: string; writes: boolean }[];
  say(text: string): void;
  go(name: string, params?: Record<string, string>, replace?: boolean): void;
  where(file: string, line?: number): HTMLElement;
  address(file: string, line?: number): string;
  editor(file: string, line?: number, short?: boolean): HTMLElement;
  copy(text: string): Promise<void>;
  fail(e: unknown): HTMLElement | null;
  absolute(file: string): string;
  relative(file: string): string;
}

/** What a view leaves: stop is called when another one comes. */
export interface Shown {
  stop?(): void;
  /** Shows another place of the same view, or returns false if it cannot. */
  moved?(params: URLSearchParams): boolean;
}
