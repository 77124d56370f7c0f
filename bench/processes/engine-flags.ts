/** Node's flags for our side: those of `npm start` (scripts/start.mjs). */
export const engineFlags: readonly string[] = ["--v8-pool-size=1"];

/** The heap sizes that `run()` of an operator sets (packages/drover/src/heap-growth.ts), and the guide advises for other programs. */
export const heapFlags: readonly string[] = ["--max-semi-space-size=4", "--heap-growing-percent=100"];
