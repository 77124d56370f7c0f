/** What `npm run test:real` does before the first test and after the last, whatever happens in between: one API server for all files of the run. */
import type { TestProject } from "vitest/node";
import { startServerPrograms } from "./real-server.ts";

/** Called by vitest; what it returns is called at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { address, stop } = await startServerPrograms({ history: "etcd" });
  project.provide("realServer", address);
  return stop;
}
