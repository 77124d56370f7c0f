/**
 * Runs an example as a program, on the cluster of the current kubeconfig, until Ctrl-C.
 *
 *     node main.js            informer, handlers, rate-limited queue, workers
 *     node main.js operator   the same with operator()
 */
import { connect, nodeRuntime, stopSignal } from "drover";
import type { RunnableOperator } from "drover";
import type { ExamplePlace } from "./example-place.ts";

export interface ExampleForms {
  readonly classic: (place: ExamplePlace, signal: AbortSignal) => Promise<void>;
  readonly operator: (say: ExamplePlace["say"]) => RunnableOperator;
}

export async function runExample({ classic, operator }: ExampleForms): Promise<void> {
  const runtime = nodeRuntime({ logLevel: "warn" });
  const say = (line: string): void => console.log(line);
  if (process.argv[2] === "operator") {
    await operator(say).run({ runtime });
    return;
  }
  await using cluster = await connect({ runtime });
  await classic({ client: cluster.client, runtime, say }, stopSignal());
}
