/** Node's flags for our side: those of `npm start` (scripts/start.mjs). */
export const engineFlags: readonly string[] = ["--v8-pool-size=1"];
