/** What an example runs with: a client, a runtime and an output. */
import type { Client, Runtime } from "drover";

export interface ExamplePlace {
  readonly client: Client;
  readonly runtime: Runtime;
  /** Prints a line. */
  readonly say: (line: string) => void;
}
