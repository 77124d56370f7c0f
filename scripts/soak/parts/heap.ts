/** The heap after a collection. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void;

/** In bytes, with what buffers hold outside of it. */
export function heapBytes(): number {
  for (let turn = 0; turn < 3; turn++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
