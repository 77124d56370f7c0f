/** Who asks, as authentication found it. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** @default "" */
  readonly uid?: string;
  /** @default none */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
