/** The heap after a collection. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void;

/** In bytes, with what buffers hold outside of it. */
export async function heapBytes(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) {
    // What the end of a task, a weak reference or a finalizer keeps is free only in a later turn.
    await new Promise((resolve) => void setImmediate(resolve));
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
