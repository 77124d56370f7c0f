/** Where an example runs: a cluster, a clock and a reader of its output. */
import type { Client, Runtime } from "drover";

export interface ExamplePlace {
  readonly client: Client;
  readonly runtime: Runtime;
  /** Takes a line. */
  readonly say: (line: string) => void;
}
