/** Who the server takes us for. */
import { SelfSubjectReview } from "@drover/api/authentication/v1";
import { isUnauthorized } from "@drover/machinery";
import type { ExaminedCluster } from "./examined-cluster.ts";
import { ok, unchecked } from "./finding.ts";
import type { Finding } from "./finding.ts";

const check = "credentials";

/** Asks the server. Every authenticated user may do so. */
export async function checkIdentity({ client }: ExaminedCluster, signal: AbortSignal): Promise<Finding> {
  try {
    const { status } = await client.create(SelfSubjectReview, { metadata: {} }, { signal });
    const { username = "", groups = [] } = status?.userInfo ?? {};
    const others = groups.filter((group) => group !== "system:authenticated");
    if (username === "system:anonymous")
      return {
        check,
        verdict: "fail",
        says: "none were sent: you are system:anonymous",
        fix: "add credentials to the user of the kubeconfig",
      };
    return ok(check, `you are ${username}${others.length === 0 ? "" : `, in ${others.slice(0, 5).join(", ")}`}`);
  } catch (error) {
    signal.throwIfAborted();
    if (!isUnauthorized(error)) return unchecked(check, "ask who you are", error);
    return {
      check,
      verdict: "fail",
      says: "the server does not accept them (401)",
      fix: "renew the token or certificate: log in again, or fetch a new kubeconfig",
    };
  }
}
