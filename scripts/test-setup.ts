/**
 * The setup of every test file: how many cases a property gets, and from which seed.
 *
 * `npm test` takes 100 cases per property; `DROVER_LONG=1` takes 100,000, or `DROVER_CASES` of them (`.ci/run`: 1,000).
 * The seed is fixed, so that a failing run fails again; `DROVER_SEED=n` tries another one.
 */
import fc from "fast-check";

fc.configureGlobal({
  numRuns: process.env["DROVER_LONG"] === "1" ? Number(process.env["DROVER_CASES"] ?? 100_000) : 100,
  seed: Number(process.env["DROVER_SEED"] ?? 20),
});
