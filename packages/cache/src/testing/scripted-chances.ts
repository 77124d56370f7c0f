/** How often what goes wrong, each as a probability in [0, 1]. What is left out never happens. */
export interface ScriptedChances {
  /** For every line of a watch: the connection breaks somewhere within it. @default 0 */
  readonly cut?: number;
  /** For every line: it is sent twice. @default 0 */
  readonly duplicate?: number;
  /** For every line: it and all behind it come up to ten seconds later. @default 0 */
  readonly delay?: number;
  /** For every line: from now on the connection is open and dead. @default 0 */
  readonly halfOpen?: number;
  /** For every line: something that is no event comes before it. @default 0 */
  readonly junk?: number;
  /** For every line: the server closes in good order instead of sending it. @default 0 */
  readonly close?: number;
  /** For every watch that is opened: up to ten events from before its version come again first. @default 0 */
  readonly replay?: number;
  /** For every request: nobody answers. @default 0 */
  readonly refuse?: number;
  /** For every request: one of 401, 403, 404, 410, 429, 500, 502, 503, 504. @default 0 */
  readonly status?: number;
  /** For every list: its body breaks off. @default 0 */
  readonly cutList?: number;
}
