/**
 * The webhooks of a program on a server with sockets: certificates issued, registration, defaults, refusals with causes, warnings and
 * conversions, with no more permissions than the program says it needs.
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { Namespace } from "@drover/api/core/v1";
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "@drover/api/rbac/v1";
import { createCluster } from "@drover/cache";
import { createClient } from "@drover/client";
import type { NodeTransport } from "@drover/client";
import { addWebhooks, createManager, printRoles, webhookNeeds } from "@drover/controller";
import type { AdmissionWebhook, Manager, Webhooks } from "@drover/controller";
import type { HttpRequest, JsonObject, KubeObject, Transport } from "@drover/machinery";
import { nodeCrypto } from "@drover/machinery/node";
import { recordingLog } from "@drover/machinery/testing";
import { parseYamlDocuments } from "@drover/yaml";
import { nodeRuntime } from "drover";
import { serveHttps } from "drover/controller";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const group = "hooks.drover.dev";
const namespace = "own-webhooks";
const base = `/apis/${group}`;

const rules = [{ operations: ["CREATE", "UPDATE"], apiGroups: [group], apiVersions: ["v2"], resources: ["gadgets"] }] as const;
const hook = (fields: Pick<AdmissionWebhook, "type" | "name" | "handle">): AdmissionWebhook => ({
  path: `/${fields.name}`,
  rules,
  ...fields,
});
const specOf = (object: unknown): JsonObject => (object as { readonly spec: JsonObject }).spec;

const webhooks: Webhooks = {
  definedResources: [{ group, resource: "gadgets" }],
  admission: [
    hook({
      type: "mutating",
      name: `default.gadgets.${group}`,
      handle: ({ object }) =>
        specOf(object)["colour"] === undefined
          ? { isAllowed: true, patch: [{ op: "add", path: "/spec/colour", value: "grün" }], warnings: ["colour was set"] }
          : { isAllowed: true },
    }),
    hook({
      type: "validating",
      name: `validate.gadgets.${group}`,
      handle: async ({ object, name, user }) => {
        const { replicas } = specOf(object);
        if (replicas === 7) throw new Error("seven is broken");
        if (replicas === 8) await new Promise(() => undefined);
        if (replicas !== 13) return { isAllowed: true };
        return {
          isAllowed: false,
          code: 422,
          reason: "Invalid",
          message: `gadget ${name} of ${user.username === "" ? "nobody" : "someone"} is unlucky`,
          causes: [{ field: "spec.replicas", reason: "FieldValueInvalid", message: "13" }],
        };
      },
    }),
  ].map((each) => ({ ...each, timeoutSeconds: 2 })),
  conversions: [
    {
      group,
      resource: "gadgets",
      kind: "Gadget",
      convert: (object, version) => {
        const { size, replicas, ...spec } = specOf(object);
        if (spec["colour"] === "stuck") throw new Error("stuck gadgets stay as they are");
        const count = size ?? replicas;
        const renamed = count === undefined ? {} : version === "v1" ? { size: count } : { replicas: count };
        return { ...object, apiVersion: `${group}/${version}`, spec: { ...spec, ...renamed } } as unknown as KubeObject;
      },
    },
  ],
  policies: [
    {
      name: `policy.gadgets.${group}`,
      rules,
      validations: [{ expression: "object.metadata.name != 'forbidden'", message: "no such name" }],
    },
  ],
};

const version = (name: string, count: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: {
    openAPIV3Schema: {
      type: "object",
      properties: { spec: { type: "object", properties: { [count]: { type: "integer" }, colour: { type: "string" } } } },
    },
  },
});

describeOnServers("webhooks of a program", ({ missing, start }) => {
  const runtime = nodeRuntime({ write: () => undefined });
  const { clock } = runtime;
  const log = recordingLog(clock);
  const stop = new AbortController();
  let server: SuiteServer | undefined;
  let transport: NodeTransport | undefined;
  let manager: Manager | undefined;
  let running: Promise<void> | undefined;

  const needsServer = (name: string, test: (on: SuiteServer) => Promise<void>): void => {
    it(name, async (ctx) => {
      if (server === undefined) ctx.skip(missing);
      else await test(server);
    });
  };
  const send = async (on: SuiteServer, method: string, path: string, body?: object) => {
    const text = body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
    const { status, body: answer, headers } = await on.send({ method, path: `${base}/${path}`, ...text });
    return { status, object: JSON.parse(answer) as JsonObject, warning: headers["warning"] };
  };
  const create = (on: SuiteServer, name: string, spec: object, at = "v2") =>
    send(on, "POST", `${at}/namespaces/${namespace}/gadgets`, { apiVersion: `${group}/${at}`, kind: "Gadget", metadata: { name }, spec });

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    const sockets = server.transport({ clock, log });
    transport = sockets;
    const admin = createClient({ transport: sockets, clock, log, namespace });
    await admin.create(Namespace, { metadata: { name: namespace } });
    await admin.create(CustomResourceDefinition, {
      metadata: { name: `gadgets.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural: "gadgets", kind: "Gadget" },
        versions: [version("v1", "size", false), version("v2", "replicas", true)],
      },
    });
    const options = { namespace, name: "own-webhooks" };
    const user = "own-webhooks-program";
    const subject = { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user } as const;
    const kinds = { ClusterRole, ClusterRoleBinding, Role, RoleBinding };
    for (const document of parseYamlDocuments(printRoles(webhookNeeds(webhooks, options), { name: "own-webhooks", subject }))) {
      const object = document as unknown as KubeObject & { readonly kind: keyof typeof kinds };
      await admin.create(kinds[object.kind] as typeof Role, object as unknown as Role);
    }
    const asUser: Transport = (request: HttpRequest) => sockets({ ...request, headers: { ...request.headers, "impersonate-user": user } });
    const cluster = createCluster({ runtime, namespace, transport: asUser });
    manager = createManager({ runtime, cluster });
    addWebhooks(manager, webhooks, {
      ...options,
      listen: serveHttps,
      crypto: nodeCrypto,
      host: "127.0.0.1",
      port: 0,
      target: (address) => ({ url: `https://${address}` }),
    });
    running = manager.run(stop.signal);
    running.catch(() => undefined);
    const deadline = clock.monotonic() + 60_000;
    for (;;) {
      const { phase } = manager.state();
      if (phase === "running") break;
      if (phase === "ended" || clock.monotonic() > deadline) await running;
      await new Promise((resolve) => void clock.timer(50, () => resolve(undefined)));
    }
    // A real server notices configurations and definitions a moment later.
    for (;;) {
      const { status } = await create(server, "forbidden", { replicas: 13 });
      const { object } = await create(server, "first", { replicas: 13 });
      if (status === 422 && JSON.stringify(object).includes("unlucky")) return;
      if (clock.monotonic() > deadline) throw new Error(`the webhooks are not called: ${JSON.stringify(object)}`);
      await send(server, "DELETE", `v2/namespaces/${namespace}/gadgets/first`);
      await send(server, "DELETE", `v2/namespaces/${namespace}/gadgets/forbidden`);
      await new Promise((resolve) => void clock.timer(100, () => resolve(undefined)));
    }
  }, 120_000);
  afterAll(async () => {
    stop.abort();
    await running;
    for (const path of [
      "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/own-webhooks",
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/own-webhooks",
      `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/policy.gadgets.${group}`,
      `/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/policy.gadgets.${group}`,
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.${group}`,
    ])
      await server?.send({ method: "DELETE", path });
    transport?.close();
    await server?.stop();
  }, 60_000);

  needsServer("sets defaults, with a warning", async (on) => {
    const { status, object, warning } = await create(on, "a", { replicas: 1 });
    expect([status, specOf(object), [warning].flat()]).toEqual([201, { replicas: 1, colour: "grün" }, ['299 - "colour was set"']]);
  });

  needsServer("refuses with the causes", async (on) => {
    const { status, object } = await create(on, "b", { replicas: 13, colour: "red" });
    expect([status, object]).toEqual([
      422,
      {
        kind: "Status",
        apiVersion: "v1",
        metadata: {},
        status: "Failure",
        message: `admission webhook "validate.gadgets.${group}" denied the request: gadget b of someone is unlucky`,
        reason: "Invalid",
        details: { causes: [{ reason: "FieldValueInvalid", message: "13", field: "spec.replicas" }] },
        code: 422,
      },
    ]);
  });

  needsServer("refuses if a handler throws or hangs, before the server gives up (F2)", async (on) => {
    const thrown = await create(on, "c", { replicas: 7, colour: "red" });
    expect([thrown.status, thrown.object["message"]]).toEqual([
      500,
      `admission webhook "validate.gadgets.${group}" denied the request: seven is broken`,
    ]);
    const late = await create(on, "c", { replicas: 8, colour: "red" });
    expect([late.status, late.object["message"]]).toEqual([
      504,
      `admission webhook "validate.gadgets.${group}" denied the request: no answer within 1.6s`,
    ]);
  });

  needsServer("enforces the policy", async (on) => {
    const { status, object } = await create(on, "forbidden", { colour: "red" });
    expect([status, object["reason"]]).toEqual([422, "Invalid"]);
    expect(object["message"]).toContain("no such name");
  });

  needsServer("converts objects and lists, and keeps metadata", async (on) => {
    const made = await create(on, "d", { size: 3, colour: "red" }, "v1");
    expect([made.status, specOf(made.object)]).toEqual([201, { size: 3, colour: "red" }]);
    const read = await send(on, "GET", `v2/namespaces/${namespace}/gadgets/d`);
    expect([specOf(read.object), read.object["metadata"]]).toMatchObject([
      { replicas: 3, colour: "red" },
      { name: "d", uid: (made.object["metadata"] as JsonObject)["uid"] },
    ]);
    const list = await send(on, "GET", `v1/namespaces/${namespace}/gadgets`);
    expect((list.object["items"] as JsonObject[]).find(({ spec }) => (spec as JsonObject)["size"] === 3)).toBeDefined();
  });

  needsServer("fails a conversion with the name of the object and the reason", async (on) => {
    const { status } = await create(on, "e", { replicas: 1, colour: "stuck" });
    const { status: read, object } = await send(on, "GET", `v1/namespaces/${namespace}/gadgets/e`);
    expect([status, read]).toEqual([201, 500]);
    expect(object["message"]).toContain(
      "Gadget own-webhooks/e of hooks.drover.dev/v2 cannot be converted to hooks.drover.dev/v1: stuck gadgets stay",
    );
    await send(on, "DELETE", `v2/namespaces/${namespace}/gadgets/e`);
  });
});
