/**
 * How vitest is started, wherever a command of this repository starts it. Built-in modules only: with-setup.mjs reads
 * it before anything is installed.
 *
 * The tests already keep every core busy with a thread of their own, so what the engine would do beside them it may as
 * well do in them: with its usual four helper threads they get in each other's way. And tests make many objects that
 * live for a moment: with room for them they are gone before the engine has to copy them, and what all files share is
 * not looked through again and again while the heap grows.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The program and its first arguments; what vitest is to be told stands behind them. NODE_OPTIONS is the user's own and stays as it is. */
export const vitestCommand = [
  process.execPath,
  "--v8-pool-size=1",
  "--min-semi-space-size=64",
  "--max-semi-space-size=64",
  "--initial-old-space-size=500",
  join(dirname(dirname(fileURLToPath(import.meta.url))), "node_modules", "vitest", "vitest.mjs"),
  "run",
];
