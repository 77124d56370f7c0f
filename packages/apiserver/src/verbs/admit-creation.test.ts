import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import type { AdmissionPlugin, AdmissionRequest } from "../admission/admission.ts";
import { StatusError } from "../status-error.ts";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";

const pods = "/api/v1/namespaces/default/pods";
const pod: JsonObject = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };

interface Scene extends TestServer {
  /** "stage OPERATION resource/subresource name: kind of the object", since the last call. */
  readonly seen: () => string[];
}

/** A server with a plug-in that records what it sees, and refuses what `refuses` names. */
async function recorded(refuses = ""): Promise<Scene> {
  let lines: string[] = [];
  const note =
    (stage: string) =>
    ({ operation, resource, subresource, name, object, dryRun }: AdmissionRequest): void => {
      const about = `${operation} ${resource.kind.plural}/${subresource} ${name}`;
      lines.push(`${stage} ${about}: ${JSON.stringify(object?.["kind"])}${dryRun ? ", dry run" : ""}`);
      if (stage === "validate" && refuses !== "" && about.includes(refuses))
        throw new StatusError({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", code: 403, message: "no" });
    };
  const plugin: AdmissionPlugin = { name: "Recorder", mutate: note("mutate"), validate: note("validate") };
  const server = await testServer({ admission: [plugin] });
  await server.call("POST", "/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "sa" } });
  await server.call("POST", pods, pod);
  lines = [];
  const seen = (): string[] => {
    const all = lines;
    lines = [];
    return all;
  };
  return { ...server, seen };
}

const both = (line: string): string[] => [`mutate ${line}`, `validate ${line}`];

describe("admission plug-ins", () => {
  it("see a token request as the creation of serviceaccounts/token (SEC12)", async () => {
    const { call, seen, close } = await recorded();
    const path = "/api/v1/namespaces/default/serviceaccounts/sa/token";
    expect((await call("POST", path, { spec: { expirationSeconds: 600 } })).status).toBe(201);
    expect(seen()).toEqual(both('CREATE serviceaccounts/token sa: "TokenRequest"'));
    expect((await call("POST", `${path}?dryRun=All`, {})).status).toBe(201);
    expect(seen()).toEqual(both('CREATE serviceaccounts/token sa: "TokenRequest", dry run'));
    close();
  });

  it("see a binding as the creation of pods/binding, and not the change of the pod (SEC12)", async () => {
    const { call, seen, close } = await recorded();
    expect((await call("POST", `${pods}/p/binding`, { metadata: { name: "p" }, target: { name: "n" } })).status).toBe(201);
    expect(seen()).toEqual(both('CREATE pods/binding p: "Binding"'));
    await call("POST", pods, { ...pod, metadata: { name: "q" } });
    seen();
    expect((await call("POST", "/api/v1/namespaces/default/bindings", { metadata: { name: "q" }, target: { name: "n" } })).status).toBe(
      201,
    );
    expect(seen()).toEqual(both('CREATE bindings/ q: "Binding"'));
    close();
  });

  it("see an eviction as the creation of pods/eviction, and neither the status nor the deletion (SEC12)", async () => {
    const { call, seen, close } = await recorded();
    expect((await call("POST", `${pods}/p/eviction`, { metadata: { name: "p" } })).status).toBe(201);
    expect(seen()).toEqual(both('CREATE pods/eviction p: "Eviction"'));
    close();
  });

  it("see reviews", async () => {
    const { call, seen, close } = await recorded();
    const review = { spec: { nonResourceAttributes: { path: "/", verb: "get" } } };
    expect((await call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", review)).status).toBe(201);
    expect(seen()).toEqual(both('CREATE selfsubjectaccessreviews/ : "SelfSubjectAccessReview"'));
    close();
  });

  it.each([
    ["serviceaccounts/token", "/api/v1/namespaces/default/serviceaccounts/sa/token", {}],
    ["pods/binding", `${pods}/p/binding`, { metadata: { name: "p" }, target: { name: "n" } }],
    ["pods/eviction", `${pods}/p/eviction`, { metadata: { name: "p" } }],
  ])("can refuse %s, and nothing is written (SEC12)", async (refused, path, body) => {
    const { call, store, close } = await recorded(refused);
    const before = await store.revision();
    expect((await call("POST", path, body as JsonObject)).status).toBe(403);
    expect(await store.revision()).toBe(before);
    close();
  });
});
