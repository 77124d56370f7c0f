/** Every built-in kind: one object from creation to deletion, and variations of it that most servers refuse. */
import type { JsonObject, JsonValue, Kind } from "@drover/machinery";
import { apiVersionOf } from "@drover/machinery";
import { bodyOf, kindOf } from "../../apiserver/kind-requests.ts";
import { minimalObjects } from "../../apiserver/minimal-objects.ts";
import { textAt, valueAt } from "../exchange.ts";
import type { Answer } from "../exchange.ts";
import { asPartial, asTable, changed } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter, Probe } from "../probe.ts";
import type { ProbeSession } from "../session.ts";
import { placesOf, replacements, varied } from "../variations.ts";

/** Kinds whose status the real server itself writes at some later time. */
const writtenLater: ReadonlySet<string> = new Set(["CustomResourceDefinition", "APIService", "FlowSchema", "PriorityLevelConfiguration"]);

/** "k-configmap-v1", "k-event-v1-events" for those of which two groups have one. */
function codeOf({ kind, version, group }: Kind): string {
  const twice = kind === "Event" && group !== "" ? `-${group.split(".", 1).join("")}` : "";
  return `K-${kind.toLowerCase()}-${version}${twice}`;
}

const kinds: readonly Kind[] = Object.keys(minimalObjects)
  .map(kindOf)
  .filter(({ kind }) => !writtenLater.has(kind));

const pathOf = (session: ProbeSession, kind: Kind, ...names: readonly string[]): string => {
  const resource = kind.group === "" ? kind.plural : `${apiVersionOf(kind)}/${kind.plural}`;
  return kind.scope === "Namespaced" ? session.in(resource, ...names) : session.all(resource, ...names);
};

const minimalOf = ({ group, version, kind }: Kind): JsonObject => minimalObjects[`${group}/${version}/${kind}`] ?? {};

async function life(session: ProbeSession, kind: Kind): Promise<void> {
  const about = kind.kind === "Event" ? { [kind.group === "" ? "involvedObject" : "regarding"]: { namespace: session.namespace } } : {};
  const body = bodyOf(kind, { ...minimalOf(kind), ...about }, `${session.namespace}-a`);
  const created = await session.post(pathOf(session, kind), body);
  const name = textAt(created, "metadata", "name");
  const path = pathOf(session, kind, name);
  await session.post(pathOf(session, kind), body);
  await session.get(path, { headers: { accept: asTable } });
  await session.get(path, { headers: { accept: asPartial } });
  const replaced = await session.put(path, changed(created, {}));
  await session.put(path, changed(replaced, {}));
  await session.patch("merge", path, { metadata: { annotations: { "example.com/a": "1" } } });
  await session.patch("strategic", path, { metadata: { labels: { b: "2" } } });
  await session.patch("json", path, [{ op: "add", path: "/metadata/labels/c", value: "3" }]);
  await session.apply(path, "applier", { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { name, labels: { d: "4" } } });
  await session.get(`${path}/status`);
  await session.patch("merge", `${path}/status`, { metadata: { labels: { e: "5" } } });
  await session.get(`${path}/scale`);
  await session.delete(`${path}?dryRun=All`);
  await session.delete(path, { kind: "DeleteOptions", apiVersion: "v1", preconditions: { uid: "00000000-0000-0000-0000-000000000000" } });
  await session.delete(path);
}

/** The answer to a variation without what only repeats the object. */
function refusal({ status, body }: Answer): JsonValue {
  if (valueAt({ body }, "kind") !== "Status") return status;
  return [status, valueAt({ body }, "reason") ?? null, valueAt({ body }, "message") ?? null];
}

async function variations(session: ProbeSession, kind: Kind): Promise<void> {
  const minimal = minimalOf(kind);
  const path = `${pathOf(session, kind)}?dryRun=All`;
  for (const place of placesOf(minimal, 5)) {
    const answers: JsonValue[] = [];
    for (const replacement of replacements) {
      const body = bodyOf(kind, varied(minimal, place, replacement) as JsonObject, `${session.namespace}-a`);
      answers.push(refusal(await session.settle({ method: "POST", path, body }, () => true)));
    }
    session.fact(`answers without ${place.join(".")}, and with other values there`, answers);
  }
}

/** Configurations of admission apply to all namespaces, and two probes use one name of a kind whose names are not free. */
const options = (kind: Kind): { readonly alone: boolean } => ({
  alone: kind.group === "admissionregistration.k8s.io" || minimalOf(kind)["metadata"] !== undefined,
});

const probesOf = (kind: Kind): readonly Probe[] => [
  probe(`${codeOf(kind)} from creation to deletion`, (session) => life(session, kind), options(kind)),
  ...(Object.keys(minimalOf(kind)).length === 0
    ? []
    : [probe(`${codeOf(kind)}-varied with other values in every place`, (session) => variations(session, kind), options(kind))]),
];

export const everyKind: Chapter = { name: "every-kind", probes: kinds.flatMap(probesOf) };
