/**
 * The same requests to our API server and to the real one: `npm run test:differential`. It ends with a table of how
 * many answers are equal.
 *
 * Where the real server has not been built (`npm run assets`), its recorded answers are what ours are compared with;
 * `npm run test:differential -- --record` records them anew and needs it. What else stands behind the command goes to
 * vitest: `npm run test:differential -- -t P043`.
 */
import { runVitest } from "./run-vitest.mjs";

const args = process.argv.slice(2);
const DROVER_DIFFERENTIAL = args.includes("--record") ? "record" : "compare";
runVitest(["conformance/differential", ...args.filter((arg) => arg !== "--record")], {
  env: { DROVER_DIFFERENTIAL },
  report: "DROVER_DIFFERENTIAL_TABLES",
});
