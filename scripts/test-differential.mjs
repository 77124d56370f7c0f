/**
 * `npm run test:differential`: sends the same requests to our API server, with each of its stores, and to the real one,
 * and ends with a table of how many answers are equal.
 *
 * If the real server has not been built (`npm run assets`), ours is compared with its recorded answers; `npm run
 * test:differential -- --record` records them again and needs it. Other arguments go to vitest: `npm run
 * test:differential -- -t P043`.
 */
import { runVitest } from "./run-vitest.mjs";

const args = process.argv.slice(2);
const DROVER_DIFFERENTIAL = args.includes("--record") ? "record" : "compare";
await runVitest(["conformance/differential", ...args.filter((arg) => arg !== "--record")], {
  env: { DROVER_DIFFERENTIAL },
  report: "DROVER_DIFFERENTIAL_TABLES",
});
