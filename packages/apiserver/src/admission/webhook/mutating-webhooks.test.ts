import type { JsonObject } from "@drover/machinery";
import { describe, expect, it } from "vitest";
import { allow, at, ok, patchOf, webhook, webhookServer } from "../../testing/webhook-server.ts";
import type { WebhookServer } from "../../testing/webhook-server.ts";

const path = "/api/v1/namespaces/default/configmaps";
const add = (key: string, value = "1"): JsonObject => ({ op: "add", path: `/metadata/labels/${key}`, value });
const body = (name = "c"): JsonObject => ({ metadata: { name, labels: { given: "1" } } });
const labelsOf = (object: JsonObject): string[] => Object.keys((at(object, "metadata", "labels") ?? {}) as JsonObject);

async function failing(webhooks: JsonObject, server: Promise<WebhookServer>): Promise<{ status: number; message: unknown }> {
  const { register, call, close } = await server;
  await register("mutating", "m", webhooks);
  const { status, object } = await call("POST", path, body());
  close();
  return { status, message: object["message"] };
}

describe("MutatingAdmissionWebhook", () => {
  it("calls webhooks by the name of their configuration, then by index, each with the changes of the one before", async () => {
    const { hook, register, call, calls, close } = await webhookServer();
    const seen: string[] = [];
    for (const name of ["a1", "a2", "b1"])
      hook(name, ({ object }) => {
        seen.push(labelsOf(object as JsonObject).join());
        return patchOf(add(name));
      });
    await register("mutating", "b", webhook("b1"));
    await register("mutating", "a", webhook("a1"), webhook("a2"));
    const { object } = await call("POST", path, body());
    expect(calls()).toEqual(["a1 CREATE configmaps c", "a2 CREATE configmaps c", "b1 CREATE configmaps c"]);
    expect(seen).toEqual(["given", "a1,given", "a1,a2,given"]);
    expect(labelsOf(object)).toEqual(["a1", "a2", "b1", "given"]);
    close();
  });

  it("describes the request as kube-apiserver does", async () => {
    const { hook, register, call, close } = await webhookServer();
    let request: JsonObject = {};
    hook("m", (given) => {
      request = given;
      return { allowed: true };
    });
    await register("mutating", "m", webhook("m"));
    await call("POST", `${path}?fieldManager=me&dryRun=All`, body());
    const { object, uid: _uid, userInfo, ...rest } = request;
    expect(rest).toEqual({
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      requestKind: { group: "", version: "v1", kind: "ConfigMap" },
      requestResource: { group: "", version: "v1", resource: "configmaps" },
      name: "c",
      namespace: "default",
      operation: "CREATE",
      oldObject: null,
      dryRun: true,
      options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1", dryRun: ["All"], fieldManager: "me" },
    });
    expect(at(userInfo, "username")).toBe("system:admin");
    expect([at(object, "kind"), at(object, "metadata", "uid"), at(object, "metadata", "namespace")]).toEqual([
      "ConfigMap",
      undefined,
      "default",
    ]);
    close();
  });

  it("calls earlier webhooks again after a change, if they ask for it, and the plug-ins of the server", async () => {
    const { hook, register, call, calls, close } = await webhookServer();
    hook("late", () => patchOf(add("late")));
    await register("mutating", "a", webhook("again", { reinvocationPolicy: "IfNeeded" }), webhook("once"));
    await register("mutating", "b", webhook("late", { reinvocationPolicy: "IfNeeded" }));
    await call("POST", path, body());
    expect(calls().map((line) => line.split(" ", 1)[0])).toEqual(["again", "once", "late", "again"]);
    hook("late", allow);
    await call("POST", path, body("d"));
    expect(calls()).toHaveLength(3);
    close();
  });

  it("defaults and prunes what a patch adds", async () => {
    const { hook, register, call, close } = await webhookServer();
    hook("m", () => patchOf({ op: "add", path: "/spec/containers/-", value: { name: "side", image: "side", nope: true } }));
    await register(
      "mutating",
      "m",
      webhook("m", { rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }] }),
    );
    const { status, object } = await call("POST", "/api/v1/namespaces/default/pods", {
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i:1" }] },
    });
    expect(status).toBe(201);
    const [, side] = at(object, "spec", "containers") as JsonObject[];
    expect(side).toMatchObject({ name: "side", imagePullPolicy: "Always", terminationMessagePath: "/dev/termination-log" });
    expect(side).not.toHaveProperty("nope");
    close();
  });

  it("refuses with the code and the text of the webhook", async () => {
    const server = webhookServer();
    (await server).hook("m", () => ({ allowed: false, status: { code: 418, reason: "Teapot", message: "no tea" } }));
    expect(await failing(webhook("m"), server)).toEqual({
      status: 418,
      message: 'admission webhook "m.hook.test" denied the request: no tea',
    });
  });

  it.each<readonly [string, JsonObject, string]>([
    ["no patchType", { allowed: true, patch: btoa("[]") }, "webhook returned response.patch but not response.patchType"],
    ["no patch", { allowed: true, patchType: "JSONPatch" }, "webhook returned response.patchType but not response.patch"],
    ["a wrong uid", { allowed: true, uid: "x" }, 'expected response.uid="'],
  ])("fails for a response with %s", async (_, response, why) => {
    const server = webhookServer();
    (await server).hook("m", () => response);
    const { status, message } = await failing(webhook("m"), server);
    expect(status).toBe(500);
    expect(message).toContain(`Internal error occurred: failed calling webhook "m.hook.test": received invalid webhook response: ${why}`);
  });

  it("fails for a patch that does not apply, whatever the failure policy", async () => {
    const server = webhookServer();
    (await server).hook("m", () => patchOf({ op: "remove", path: "/data/x" }));
    const { status, message } = await failing(webhook("m", { failurePolicy: "Ignore" }), server);
    expect(status).toBe(500);
    expect(message).toContain("Internal error occurred: remove operation does not apply");
  });

  it("ignores a failed call if the failure policy says so, and counts it", async () => {
    const server = await webhookServer();
    const { hook, register, call, close } = server;
    hook("m", () => ({ status: 500, headers: {}, body: "boom" }));
    await register("mutating", "m", webhook("m", { failurePolicy: "Ignore" }));
    expect((await call("POST", path, body())).status).toBe(201);
    const { text } = await call("GET", "/metrics");
    expect(text).toContain('apiserver_admission_webhook_fail_open_count{name="m.hook.test",type="admit"} 1');
    expect(text).toContain(
      'apiserver_admission_webhook_request_total{code="500",name="m.hook.test",operation="CREATE",rejected="false",type="admit"} 1',
    );
    close();
  });

  it("refuses a dry run that a webhook with side effects would see", async () => {
    const { register, call, calls, close } = await webhookServer();
    await register("mutating", "m", webhook("m", { sideEffects: "NoneOnDryRun" }));
    expect((await call("POST", `${path}?dryRun=All`, body())).status).toBe(201);
    expect(calls()).toHaveLength(1);
    close();
  });

  it("may not change an object that is deleted", async () => {
    const { hook, register, call, close } = await webhookServer();
    await call("POST", path, body());
    hook("m", () => patchOf(add("x")));
    await register("mutating", "m", webhook("m"));
    const { status, object } = await call("DELETE", `${path}/c`);
    expect([status, object["message"]]).toEqual([
      500,
      'Internal error occurred: admission webhook "m.hook.test" attempted to modify the object, which is not supported for this operation',
    ]);
    close();
  });

  it("does not see configurations of admission", async () => {
    const { hook, register, call, calls, close } = await webhookServer();
    hook("m", () => ({ allowed: false }));
    const everything = [{ operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*/*"] }];
    await register("mutating", "m", webhook("m", { rules: everything }));
    const { status } = await call("DELETE", "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/m");
    expect([status, calls()]).toEqual([200, []]);
    expect((await call("POST", path, body())).status).toBe(201);
    close();
  });

  it("accepts a review in v1beta1 without uid and kind", async () => {
    const { hook, register, call, close } = await webhookServer();
    hook("m", () => ok({ response: { allowed: true, patch: btoa(JSON.stringify([add("old")])) } }));
    await register("mutating", "m", webhook("m", { admissionReviewVersions: ["v1beta1", "v1"] }));
    expect(labelsOf((await call("POST", path, body())).object)).toEqual(["given", "old"]);
    close();
  });
});
