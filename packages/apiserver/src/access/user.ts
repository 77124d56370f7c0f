/** An authenticated user. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  /** @default "" */
  readonly uid?: string;
  /** @default no extra attributes */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
