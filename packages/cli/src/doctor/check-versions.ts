/** Versions of the server and of Node, against those that Drover is tested with. */
import type { ServerVersion } from "@drover/client";
import { kubernetesVersion } from "../version.ts";
import { ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Oldest minor version whose APIs Drover's own requests need: SelfSubjectReview v1 came with 1.28. */
const oldestMinor = 28;
const testedMinor = Number(/^v1\.(\d+)/.exec(kubernetesVersion)?.[1]);
const oldestNode: readonly [number, number] = [20, 19];

export function serverFinding({ major, minor, gitVersion }: ServerVersion): Finding {
  const check = "server version";
  const number = Number.parseInt(minor, 10);
  if (major !== "1" || Number.isNaN(number)) return { check, verdict: "warn", says: `${gitVersion} is no known version of Kubernetes` };
  if (number < oldestMinor)
    return { check, verdict: "fail", says: `${gitVersion} is older than 1.${oldestMinor}, which Drover needs`, fix: "upgrade the cluster" };
  if (number === testedMinor) return ok(check, `${gitVersion}, the version that Drover is tested with`);
  const age = number < testedMinor ? "older" : "newer";
  return ok(check, `${gitVersion}; ${age} than 1.${testedMinor}, the version that Drover is tested with`);
}

/** @param version - "v22.1.0" */
export function nodeFinding(version: string): Finding {
  const check = "node version";
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  const [least, leastMinor] = oldestNode;
  if (major > least || (major === least && minor >= leastMinor)) return ok(check, version);
  return { check, verdict: "fail", says: `${version} is older than ${least}.${leastMinor}`, fix: "install a newer Node" };
}
