/**
 * What every test file shares: how many cases a property gets, and from which seed.
 *
 * Plain `npm test` takes 100 cases a property; `DROVER_LONG=1` takes 100,000, or as many as `DROVER_CASES` says (`.ci/run`: 1,000).
 * The seed is fixed so that a red run is red again; `DROVER_SEED=n` tries another one.
 */
import fc from "fast-check";

fc.configureGlobal({
  numRuns: process.env["DROVER_LONG"] === "1" ? Number(process.env["DROVER_CASES"] ?? 100_000) : 100,
  seed: Number(process.env["DROVER_SEED"] ?? 20),
});
