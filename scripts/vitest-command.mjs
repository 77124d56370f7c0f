/**
 * How the repository's commands start vitest. Built-in modules only: with-setup.mjs imports this file before anything is installed.
 *
 * The tests keep every core busy with threads of their own, so V8 gets one helper thread instead of four and collects garbage in
 * the thread that made it: handing work to helpers costs a tenth of the processor time. Tests allocate many short-lived objects:
 * a large young generation collects them before V8 copies them, and a large initial heap avoids repeated marking of what all
 * files share while the heap grows.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Program and first arguments for the Node binary `node`; append vitest's own arguments. Leaves NODE_OPTIONS to the user. */
export const vitestCommandOn = (node) => [
  node,
  "--v8-pool-size=1",
  "--single-threaded-gc",
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--initial-old-space-size=500",
  join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules", "vitest", "vitest.mjs"),
  "run",
];

/** The same on the Node that runs this command. */
export const vitestCommand = vitestCommandOn(process.execPath);
