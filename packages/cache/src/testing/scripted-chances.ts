/** Probabilities of random faults, each in [0, 1]. */
export interface ScriptedChances {
  /** Per line of a watch: the connection breaks within it. @default 0 */
  readonly cut?: number;
  /** Per line: it is sent twice. @default 0 */
  readonly duplicate?: number;
  /** Per line: it and all later lines are delayed by up to ten seconds. @default 0 */
  readonly delay?: number;
  /** Per line: the connection becomes half-open. @default 0 */
  readonly halfOpen?: number;
  /** Per line: junk is sent before it. @default 0 */
  readonly junk?: number;
  /** Per line: the server closes the watch normally instead of sending it. @default 0 */
  readonly close?: number;
  /** Per watch: up to ten events from before its version are repeated first. @default 0 */
  readonly replay?: number;
  /** Per request: the connection is refused. @default 0 */
  readonly refuse?: number;
  /** Per request: one of 401, 403, 404, 410, 429, 500, 502, 503, 504. @default 0 */
  readonly status?: number;
  /** Per list: its body is truncated. @default 0 */
  readonly cutList?: number;
}
