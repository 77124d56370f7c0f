/** How Node is started for ours: as `npm start` does it (scripts/start.mjs). */
export const engineFlags: readonly string[] = ["--v8-pool-size=1"];
