/** Where an example runs: a cluster, a clock, and somebody who reads what it says. */
import type { Client, Runtime } from "drover";

export interface ExamplePlace {
  readonly client: Client;
  readonly runtime: Runtime;
  /** Takes a line. */
  readonly say: (line: string) => void;
}
