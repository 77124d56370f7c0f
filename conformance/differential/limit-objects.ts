/** LimitRanges and ResourceQuotas of probes, in force when these functions resolve: a real server learns of them a moment later. */
import type { JsonObject } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import type { Answer } from "./exchange.ts";
import { container, pod } from "./probe-objects.ts";
import type { ProbeSession } from "./session.ts";

/** Whether the server refused it. */
export const isRefused = ({ status }: Answer): boolean => status === 403;

/** A pod whose containers have these resources, by name. */
export const asking = (name: string, containers: Readonly<Record<string, JsonObject>>, spec: JsonObject = {}): JsonObject =>
  pod(name, { containers: Object.entries(containers).map(([one, resources]) => container({ name: one, resources })), ...spec });
export const both = (amounts: JsonObject): JsonObject => ({ requests: amounts, limits: amounts });

/** Creates a range and waits until it is in force: first with a limit that every pod violates, then as it shall be. */
export async function limitRange(s: ProbeSession, name: string, limits: JsonObject[]): Promise<void> {
  const sentinel = { "example.com/sentinel": "1" };
  const ofPods = limits.find(({ type }) => type === "Pod") ?? { type: "Pod" };
  const others = limits.filter((item) => item !== ofPods);
  const first = [...others, { ...ofPods, max: { ...(isJsonObject(ofPods["max"]) ? ofPods["max"] : {}), ...sentinel } }];
  const isInForce = (answer: Answer): boolean => JSON.stringify(answer.body).includes("sentinel usage");
  const request = { method: "POST", path: `${s.in("pods")}?dryRun=All`, body: pod("sentinel") };
  await s.quietly("POST", s.in("limitranges"), { metadata: { name }, spec: { limits: first } });
  await s.settle(request, isInForce);
  await s.quietly("PATCH", s.in("limitranges", name), { spec: { limits } });
  await s.settle(request, (answer) => !isInForce(answer));
}

const noSecrets = "count/secrets";

/** Creates a quota with its status and waits until the server has both: then it refuses Secrets. */
export async function quota(s: ProbeSession, name: string, hard: JsonObject, usedAlready: JsonObject = {}): Promise<void> {
  const all = { ...hard, [noSecrets]: "0" };
  const zeros = Object.fromEntries(Object.keys(all).map((resource) => [resource, "0"]));
  await s.quietly("POST", s.in("resourcequotas"), { metadata: { name }, spec: { hard: all } });
  await s.quietly("PATCH", `${s.in("resourcequotas", name)}/status`, { status: { hard: all, used: { ...zeros, ...usedAlready } } });
  await s.settle(
    { method: "POST", path: `${s.in("secrets")}?dryRun=All`, body: { metadata: { name: "sentinel" } } },
    (answer) => isRefused(answer) && JSON.stringify(answer.body).includes(`exceeded quota: ${name},`),
  );
}
