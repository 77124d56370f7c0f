import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { AdmissionPlugin, AdmissionRequest } from "../admission/admission.ts";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const core = "/api/v1/namespaces/default";
const web = "/apis/apps/v1/namespaces/default/deployments/web";
const merge = "application/merge-patch+json";
const labels = { app: "web" };
const podSpec = { containers: [{ name: "c", image: "i" }] };
const patch = { metadata: { annotations: { a: "b" } } };
const apply = (kind: string, name: string): JsonObject => ({ apiVersion: "v1", kind, metadata: { name } });

/** Every way to write: request, and what admission must see, once. */
const writes: readonly (readonly [sent: string, body: JsonObject | undefined, type: string, seen: string])[] = [
  [`POST ${core}/configmaps`, { metadata: { name: "b" } }, "", "CREATE configmaps/ b"],
  [`POST ${core}/configmaps`, { metadata: { generateName: "c-" } }, "", "CREATE configmaps/ c-"],
  [`PUT ${core}/configmaps/a`, { metadata: { name: "a" }, data: { x: "1" } }, "", "UPDATE configmaps/ a"],
  [`PUT ${core}/endpoints/new`, { metadata: { name: "new" } }, "", "CREATE endpoints/ new"],
  [`PATCH ${core}/configmaps/a`, patch, merge, "UPDATE configmaps/ a"],
  [`PATCH ${core}/configmaps/a`, patch, "application/strategic-merge-patch+json", "UPDATE configmaps/ a"],
  [`PATCH ${core}/configmaps/a?fieldManager=x`, apply("ConfigMap", "a"), "application/apply-patch+yaml", "UPDATE configmaps/ a"],
  [`PATCH ${core}/configmaps/d?fieldManager=x`, apply("ConfigMap", "d"), "application/apply-patch+yaml", "CREATE configmaps/ d"],
  [`PATCH ${core}/pods/p/status`, { status: { message: "m" } }, merge, "UPDATE pods/status p"],
  [
    `PATCH ${core}/pods/p/ephemeralcontainers`,
    { spec: { ephemeralContainers: [{ name: "e", image: "i" }] } },
    merge,
    "UPDATE pods/ephemeralcontainers p",
  ],
  [`PUT ${web}/scale`, { metadata: { name: "web" }, spec: { replicas: 2 } }, "", "UPDATE deployments/scale web"],
  [`PATCH ${web}/scale`, { spec: { replicas: 3 } }, merge, "UPDATE deployments/scale web"],
  [`POST ${core}/pods/p/eviction`, { metadata: { name: "p" } }, "", "CREATE pods/eviction p"],
  [`POST ${core}/pods/p/binding`, { metadata: { name: "p" }, target: { name: "n" } }, "", "CREATE pods/binding p"],
  [`POST ${core}/serviceaccounts/sa/token`, {}, "", "CREATE serviceaccounts/token sa"],
  [`DELETE ${core}/configmaps/a`, undefined, "", "DELETE configmaps/ a"],
  [`DELETE ${core}/configmaps/a`, { propagationPolicy: "Foreground" }, "", "DELETE configmaps/ a"],
  [`DELETE ${core}/configmaps?labelSelector=app%3Dweb`, undefined, "", "DELETE configmaps/ "],
  [`DELETE ${core}/pods/p?gracePeriodSeconds=30`, undefined, "", "DELETE pods/ p"],
];

interface Recorded extends TestServer {
  readonly seen: string[];
}

async function recorded(refuses: boolean): Promise<Recorded> {
  const state = { isOpen: true };
  const seen: string[] = [];
  const describeRequest = ({ operation, resource, subresource, name, dryRun }: AdmissionRequest): string =>
    `${operation} ${resource.kind.plural}/${subresource} ${name.replace(/^c-.*/, "c-")}${dryRun ? ", dry run" : ""}`;
  const plugin: AdmissionPlugin = {
    name: "Recorder",
    validate: (request) => {
      seen.push(describeRequest(request));
      if (!state.isOpen) throw new Error("refused by the recorder");
    },
  };
  const server = await testServer({ admission: [plugin] });
  for (const [path, body] of [
    [`${core}/configmaps`, { metadata: { name: "a", labels } }],
    [`${core}/serviceaccounts`, { metadata: { name: "sa" } }],
    [`${core}/pods`, { metadata: { name: "p" }, spec: podSpec }],
    [
      "/apis/apps/v1/namespaces/default/deployments",
      { metadata: { name: "web" }, spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } } },
    ],
  ] as const)
    expect((await server.call("POST", path, body)).status, path).toBe(201);
  seen.length = 0;
  state.isOpen = !refuses;
  return { ...server, seen };
}

describe("a write", () => {
  it.each(writes)("passes admission exactly once: %s (X20, S5)", async (sent, body, type, expected) => {
    const [method = "", path = ""] = sent.split(" ");
    const headers = type === "" ? {} : { "content-type": type };
    const server = await recorded(false);
    // Options of a deletion come from its body or from the query, never from both.
    const options = method === "DELETE" && body !== undefined ? { ...body, dryRun: ["All"] } : body;
    const dry = await server.call(method, `${path}${path.includes("?") ? "&" : "?"}dryRun=All`, options, headers);
    expect([dry.status < 300, server.seen.splice(0)], dry.text).toEqual([true, [`${expected}, dry run`]]);
    const done = await server.call(method, path, body, headers);
    expect([done.status < 300, server.seen], done.text).toEqual([true, [expected]]);
    server.close();
  });

  it.each(writes)("that admission refuses changes nothing: %s (X20, S5)", async (sent, body, type) => {
    const [method = "", path = ""] = sent.split(" ");
    const server = await recorded(true);
    const before = await server.store.revision();
    const { status } = await server.call(method, path, body, type === "" ? {} : { "content-type": type });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await server.store.revision()).toBe(before);
    server.close();
  });

  it("shows admission the old object as it is stored, whatever a plug-in does to the new one (X20)", async () => {
    const olds: unknown[] = [];
    const server = await testServer({
      admission: [
        {
          name: "Vandal",
          mutate: ({ object, operation, resource }) => {
            if (operation === "UPDATE" && resource.kind.kind === "ConfigMap" && object !== undefined) object["data"] = { x: "mutated" };
          },
          validate: ({ old, operation, resource }) => {
            if (operation === "UPDATE" && resource.kind.kind === "ConfigMap") olds.push(old?.["data"]);
          },
        },
      ],
    });
    await server.call("POST", `${core}/configmaps`, { metadata: { name: "a" }, data: { x: "stored" } });
    await server.call("PATCH", `${core}/configmaps/a`, { data: { x: "sent" } }, { "content-type": merge });
    expect(olds).toEqual([{ x: "stored" }]);
    expect((await server.call("GET", `${core}/configmaps/a`)).object["data"]).toEqual({ x: "mutated" });
    server.close();
  });
});
