/** The global setup of a run with DROVER_REAL=1: starts one API server for all files before the first test and stops it after the last. */
import type { TestProject } from "vitest/node";
import { startServerPrograms } from "./real-server.ts";

/** Called by vitest; the returned function is called at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // vitest sets this variable for test files, but not for this one.
  process.env["KUBEBUILDER_ASSETS"] ??= project.config.env["KUBEBUILDER_ASSETS"];
  const { address, stop } = await startServerPrograms({ history: "etcd" });
  project.provide("realServer", address);
  return stop;
}
