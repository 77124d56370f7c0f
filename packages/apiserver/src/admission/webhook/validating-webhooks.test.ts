import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { at, patchOf, webhook, webhookServer } from "../../testing/webhook-server.ts";

const path = "/api/v1/namespaces/default/configmaps";
const body = (name = "c", over: JsonObject = {}): JsonObject => ({ metadata: { name, ...over } });
const deny = (message: string) => () => ({ allowed: false, status: { message } });

describe("ValidatingAdmissionWebhook", () => {
  it("sees the object as it will be stored", async () => {
    const { hook, register, call, close } = await webhookServer();
    let seen: JsonObject = {};
    hook("v", (request) => {
      seen = request;
      return { allowed: true };
    });
    await register("validating", "v", webhook("v"));
    await call("POST", path, { metadata: { generateName: "c-" } });
    const name = at(seen["object"], "metadata", "name") as string;
    expect(name).toMatch(/^c-/);
    expect(seen["name"]).toBe(name);
    expect(at(seen["object"], "metadata", "uid")).toBeTypeOf("string");
    await call("PATCH", `${path}/${name}`, { data: { a: "b" } }, { "content-type": "application/merge-patch+json" });
    expect([seen["operation"], at(seen["oldObject"], "data"), at(seen["object"], "data", "a"), at(seen["options"], "kind")]).toEqual([
      "UPDATE",
      undefined,
      "b",
      "UpdateOptions",
    ]);
    await call("DELETE", `${path}/${name}?gracePeriodSeconds=5`);
    expect([seen["operation"], seen["object"], at(seen["oldObject"], "kind"), seen["options"]]).toEqual([
      "DELETE",
      null,
      "ConfigMap",
      { kind: "DeleteOptions", apiVersion: "meta.k8s.io/v1", gracePeriodSeconds: 5 },
    ]);
    close();
  });

  it("calls all webhooks at once and reports the error that came first", async () => {
    const { hook, register, call, calls, close } = await webhookServer();
    let release = (): void => undefined;
    const second = new Promise<void>((resolve) => (release = resolve));
    hook("slow", async () => {
      await second;
      return { allowed: false, status: { message: "slow" } };
    });
    hook("fast", () => {
      setImmediate(release);
      return { allowed: false, status: { message: "fast" } };
    });
    await register("validating", "v", webhook("slow"), webhook("fast"));
    const { status, object } = await call("POST", path, body());
    expect([status, object["message"]]).toEqual([400, 'admission webhook "fast.hook.test" denied the request: fast']);
    expect(calls()).toHaveLength(2);
    close();
  });

  it("refuses without a word of the webhook", async () => {
    const { hook, register, call, close } = await webhookServer();
    hook("v", () => ({ allowed: false }));
    await register("validating", "v", webhook("v"));
    const { object } = await call("POST", path, body());
    expect(object).toMatchObject({
      status: "Failure",
      code: 400,
      message: 'admission webhook "v.hook.test" denied the request without explanation',
    });
    expect(object).not.toHaveProperty("reason");
    close();
  });

  it("passes warnings on, and refuses patches", async () => {
    const { hook, register, call, close } = await webhookServer();
    hook("v", () => ({ allowed: true, warnings: ["mind the gap"] }));
    await register("validating", "v", webhook("v"));
    const { headers } = await call("POST", path, body());
    expect(headers["warning"]).toEqual(['299 - "mind the gap"']);
    hook("v", () => patchOf({ op: "add", path: "/data", value: {} }));
    const { object } = await call("POST", path, body("d"));
    expect(object["message"]).toContain("received invalid webhook response: validating webhook may not return response.patch");
    close();
  });

  it("selects by labels of the namespace, and of the new or the old object", async () => {
    const { register, call, calls, close } = await webhookServer();
    await call("POST", "/api/v1/namespaces", body("team", { labels: { team: "yes" } }));
    await register(
      "validating",
      "v",
      webhook("ns", { namespaceSelector: { matchLabels: { team: "yes" } } }),
      webhook("object", { objectSelector: { matchLabels: { watch: "me" } } }),
    );
    await call("POST", path, body());
    expect(calls()).toEqual([]);
    await call("POST", "/api/v1/namespaces/team/configmaps", body());
    expect(calls()).toEqual(["ns CREATE configmaps c"]);
    await call("POST", path, body("d", { labels: { watch: "me" } }));
    await call("PUT", `${path}/d`, body("d"));
    await call("PUT", `${path}/d`, { ...body("d"), data: { a: "b" } });
    expect(calls()).toEqual(["object CREATE configmaps d", "object UPDATE configmaps d"]);
    close();
  });

  it("evaluates match conditions", async () => {
    const { register, call, calls, close } = await webhookServer();
    const when = (expression: string, over: JsonObject = {}): JsonObject => ({ matchConditions: [{ name: "c", expression }], ...over });
    await register(
      "validating",
      "v",
      webhook("named", when('object.metadata.name == "yes"')),
      webhook("broken", when("object.data.missing == 'x'", { failurePolicy: "Ignore" })),
    );
    await call("POST", path, body("no"));
    await call("POST", path, body("yes"));
    expect(calls()).toEqual(["named CREATE configmaps yes"]);
    await register("validating", "w", webhook("failing", when("object.data.missing == 'x'")));
    const { status, object } = await call("POST", path, body("last"));
    expect([status, object["message"]]).toEqual([
      403,
      "configmaps \"last\" is forbidden: expression 'object.data.missing == 'x'' resulted in error: no such key: data",
    ]);
    close();
  });

  it("gets another version of the object if its rules match only that", async () => {
    const { hook, register, call, close } = await webhookServer();
    let seen: JsonObject = {};
    hook("v", (request) => {
      seen = request;
      return { allowed: true };
    });
    const rules = [{ operations: ["*"], apiGroups: ["autoscaling"], apiVersions: ["v1"], resources: ["horizontalpodautoscalers"] }];
    await register("validating", "v", webhook("v", { rules }));
    const scaleTargetRef = { kind: "Deployment", name: "d", apiVersion: "apps/v1" };
    const { status } = await call("POST", "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers", {
      metadata: { name: "h" },
      spec: { scaleTargetRef, maxReplicas: 3 },
    });
    expect(status).toBe(201);
    expect([at(seen["kind"], "version"), at(seen["requestKind"], "version"), at(seen["object"], "apiVersion")]).toEqual([
      "v1",
      "v2",
      "autoscaling/v1",
    ]);
    close();
  });

  it("sees Scales, evictions and connections as kinds of their own (X20, S5)", async () => {
    const { hook, register, call, close } = await webhookServer();
    const seen: unknown[] = [];
    hook("v", ({ operation, kind, subResource, object, oldObject }) => {
      seen.push([operation, subResource, at(kind, "kind"), at(object, "kind"), at(oldObject, "kind")]);
      return { allowed: true };
    });
    const rules = [
      { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["deployments/scale", "pods/eviction", "pods/exec"] },
    ];
    await register("validating", "v", webhook("v", { rules }));
    const pod = { containers: [{ name: "c", image: "i" }] };
    const template = { metadata: { labels: { a: "b" } }, spec: pod };
    const deployments = "/apis/apps/v1/namespaces/default/deployments";
    await call("POST", deployments, { metadata: { name: "d" }, spec: { selector: { matchLabels: { a: "b" } }, template } });
    const merge = { "content-type": "application/merge-patch+json" };
    const { object } = await call("PATCH", `${deployments}/d/scale`, { spec: { replicas: 2 } }, merge);
    expect(at(object, "spec", "replicas")).toBe(2);
    const pods = "/api/v1/namespaces/default/pods";
    await call("POST", pods, { metadata: { name: "p" }, spec: pod });
    await call("POST", `${pods}/p/exec?command=ls`);
    await call("POST", `${pods}/p/eviction`, { apiVersion: "policy/v1", kind: "Eviction", metadata: { name: "p" } });
    expect(seen).toEqual([
      ["UPDATE", "scale", "Scale", "Scale", "Scale"],
      ["CONNECT", "exec", "PodExecOptions", "PodExecOptions", undefined],
      ["CREATE", "eviction", "Eviction", "Eviction", undefined],
    ]);
    close();
  });

  it("is asked about each object of a collection that is deleted (X20, S5)", async () => {
    const { hook, register, call, close } = await webhookServer();
    for (const name of ["a", "b"]) await call("POST", path, body(name, { labels: { x: "y" } }));
    const seen: unknown[] = [];
    hook("v", ({ name, oldObject }) => {
      seen.push([name, at(oldObject, "metadata", "name")]);
      return { allowed: true };
    });
    await register("validating", "v", webhook("v"));
    await call("DELETE", `${path}?labelSelector=x%3Dy`);
    // As kube-apiserver, names them only in their metadata.
    expect(seen).toEqual([
      [undefined, "a"],
      [undefined, "b"],
    ]);
    close();
  });

  it("is called with the next request after its configuration was written, and not after it was deleted (X20)", async () => {
    const { hook, register, call, close } = await webhookServer();
    hook("v", deny("no"));
    expect((await call("POST", path, body("a"))).status).toBe(201);
    await register("validating", "v", webhook("v"));
    expect((await call("POST", path, body("b"))).status).toBe(400);
    await call("DELETE", "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/v");
    expect((await call("POST", path, body("b"))).status).toBe(201);
    close();
  });
});
