/**
 * How every command of this repository starts vitest. Built-in modules only: with-setup.mjs reads it before anything is
 * installed.
 *
 * The tests keep every core busy with their own threads, so the engine's four helper threads would only get in their
 * way. Tests also create many short-lived objects: with a large young generation most are gone before the engine copies
 * them, and a large initial heap avoids repeated full collections while it grows.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The program and its first arguments; vitest's own arguments follow. NODE_OPTIONS stays as the user set it. */
export const vitestCommand = [
  process.execPath,
  "--v8-pool-size=1",
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--initial-old-space-size=500",
  join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules", "vitest", "vitest.mjs"),
  "run",
];

/** The same on the Node that runs this command. */
export const vitestCommand = vitestCommandOn(process.execPath);
