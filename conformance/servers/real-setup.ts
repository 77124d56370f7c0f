/**
 * What a run with DROVER_REAL=1 does before the first test and after the last, whatever happens in between: one API
 * server for all files.
 */
import type { TestProject } from "vitest/node";
import { startServerPrograms } from "./real-server.ts";

/** Called by vitest; what it returns is called at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // The files of the run are given it by vitest, and this one is not.
  process.env["KUBEBUILDER_ASSETS"] ??= project.config.env["KUBEBUILDER_ASSETS"];
  const { address, stop } = await startServerPrograms({ history: "etcd" });
  project.provide("realServer", address);
  return stop;
}
