import { describe, expect, it } from "vitest";
import { testServer } from "../testing/test-server.ts";
import type { TestServer } from "../testing/test-server.ts";
import type { ApiServerOptions } from "../api-server.ts";
import type { AuditEvent, AuditPolicy, AuditRecord } from "./audit-event.ts";

interface Audited extends TestServer {
  /** Events so far, in order, and forgets them. */
  readonly events: () => Promise<readonly AuditEvent[]>;
}

async function audited(policy: AuditPolicy, options: Partial<ApiServerOptions> = {}): Promise<Audited> {
  const seen: AuditRecord[] = [];
  const server = await testServer({ ...options, audit: { policy, sink: { write: (records) => void seen.push(...records) } } });
  const events = async (): Promise<readonly AuditEvent[]> => {
    await server.flushAudit();
    return seen.splice(0).map((record) => {
      expect(record.line).toMatch(/^\{.*\}\n$/);
      return record.event();
    });
  };
  return { ...server, events };
}

const maps = "/api/v1/namespaces/default/configmaps";
const at = (level: AuditPolicy["rules"][number]["level"]): AuditPolicy => ({ rules: [{ level }], omitStages: ["RequestReceived"] });
const tokens = [{ token: "alice", user: { name: "alice", groups: ["dev"], uid: "7", extra: { k: ["v"] } } }];
const asAlice = { authorization: "Bearer alice" };

describe("the audit log of a server", () => {
  it("records who asked for what, and the answer, when both stages are wanted (X35)", async () => {
    const server = await audited({ rules: [{ level: "Metadata" }] }, { tokens, authorizationModes: ["AlwaysAllow"] });
    await server.call("GET", `${maps}/nope?timeout=5s`, undefined, {
      ...asAlice,
      "audit-id": "mine",
      "user-agent": "test/<1>",
      "x-forwarded-for": "10.1.1.1",
    });
    const asked = {
      kind: "Event",
      apiVersion: "audit.k8s.io/v1",
      level: "Metadata",
      auditID: "mine",
      stage: "RequestReceived",
      requestURI: `${maps}/nope?timeout=5s`,
      verb: "get",
      user: { username: "alice", uid: "7", groups: ["dev", "system:authenticated"], extra: { k: ["v"] } },
      sourceIPs: ["10.1.1.1"],
      userAgent: "test/<1>",
      objectRef: { resource: "configmaps", namespace: "default", name: "nope", apiVersion: "v1" },
      requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
      stageTimestamp: "2026-01-01T00:00:00.000000Z",
    };
    expect(await server.events()).toEqual([
      asked,
      {
        ...asked,
        stage: "ResponseComplete",
        responseStatus: {
          metadata: {},
          status: "Failure",
          message: 'configmaps "nope" not found',
          reason: "NotFound",
          details: { name: "nope", kind: "configmaps" },
          code: 404,
        },
        annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
      },
    ]);
  });

  it("records bodies at their levels, as they were sent and answered", async () => {
    const map = { metadata: { name: "a" }, data: { x: "1" } };
    for (const level of ["Metadata", "Request", "RequestResponse"] as const) {
      const server = await audited({ ...at(level), omitManagedFields: true });
      await server.call("POST", maps, map);
      const [event] = await server.events();
      expect(event?.objectRef).toEqual({ resource: "configmaps", namespace: "default", name: "a", apiVersion: "v1" });
      expect([event?.requestObject, event?.responseObject]).toEqual([
        level === "Metadata" ? undefined : { kind: "ConfigMap", apiVersion: "v1", ...map },
        level === "RequestResponse"
          ? expect.objectContaining({
              kind: "ConfigMap",
              data: { x: "1" },
              metadata: expect.objectContaining({ uid: expect.any(String) as string }) as object,
            })
          : undefined,
      ]);
      expect(JSON.stringify(event)).not.toContain("managedFields");
    }
  });

  it("records patches, options of deletions, and the Status of a deletion", async () => {
    const server = await audited(at("RequestResponse"));
    await server.call("POST", maps, { metadata: { name: "a" } });
    await server.call("PATCH", `${maps}/a`, '{ "data": {\n"x": "1"} }', { "content-type": "application/merge-patch+json" });
    await server.call("PATCH", `${maps}/a?fieldManager=x`, "apiVersion: v1\nkind: ConfigMap\n", {
      "content-type": "application/apply-patch+yaml",
    });
    await server.call("DELETE", `${maps}/a`, { propagationPolicy: "Background" });
    const [, patch, apply, deletion] = await server.events();
    expect(patch?.requestObject).toEqual({ data: { x: "1" } });
    expect(apply).toMatchObject({ verb: "patch", responseStatus: { code: 200 } });
    expect(apply).not.toHaveProperty("requestObject");
    expect(deletion).toMatchObject({
      requestObject: { propagationPolicy: "Background" },
      responseStatus: { metadata: {}, status: "Success", details: { name: "a", kind: "configmaps" }, code: 200 },
      responseObject: { kind: "Status", status: "Success" },
    });
  });

  it("records the answer as JSON, in the form the client asked for", async () => {
    const server = await audited(at("RequestResponse"));
    await server.call("POST", maps, { metadata: { name: "a" } }, { accept: "application/vnd.kubernetes.protobuf" });
    await server.call("GET", maps, undefined, { accept: "application/yaml" });
    await server.call("GET", maps, undefined, { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
    expect((await server.events()).map(({ responseObject }) => (responseObject as { kind: string }).kind)).toEqual([
      "ConfigMap",
      "ConfigMapList",
      "Table",
    ]);
  });

  it("records the start and the end of a watch", async () => {
    const server = await audited(at("RequestResponse"));
    const watch = await server.watch(`${maps}?watch=true`);
    void watch.next();
    expect((await server.events()).map(({ verb, stage, responseStatus }) => [verb, stage, responseStatus])).toEqual([
      ["watch", "ResponseStarted", { metadata: {}, code: 200 }],
    ]);
    await server.clock.advance(1500);
    watch.stop();
    await watch.next();
    expect(await server.events()).toMatchObject([
      {
        stage: "ResponseComplete",
        requestReceivedTimestamp: "2026-01-01T00:00:00.000000Z",
        stageTimestamp: "2026-01-01T00:00:01.500000Z",
        responseStatus: { code: 200 },
      },
    ]);
  });

  it("records a request without a valid credential when it is answered (X35)", async () => {
    const server = await audited({ rules: [{ level: "Metadata" }] });
    await server.call("GET", "/api/v1/pods", undefined, { authorization: "Bearer wrong" });
    const [event, ...others] = await server.events();
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      stage: "ResponseStarted",
      user: {},
      responseStatus: { metadata: {}, status: "Failure", message: "Unauthorized", reason: "Unauthorized", code: 401 },
    });
    expect(event).not.toHaveProperty("annotations");
  });

  it("applies the policy to the requestor and records the impersonated user and the decision about it (X35)", async () => {
    const server = await audited(
      { rules: [{ level: "Metadata", users: ["alice"] }], omitStages: ["RequestReceived"] },
      {
        tokens,
        authorizer: {
          authorize: ({ user }) => Promise.resolve(user.name === "bob" ? { decision: "deny", reason: "not bob" } : { decision: "allow" }),
          rulesFor: () => expect.fail("not asked"),
        },
      },
    );
    await server.call("GET", "/api/v1/pods", undefined, { ...asAlice, "impersonate-user": "bob" });
    expect(await server.events()).toMatchObject([
      {
        user: { username: "alice" },
        impersonatedUser: { username: "bob", groups: ["system:authenticated"] },
        authenticationMetadata: { impersonationConstraint: "impersonate:user-info" },
        responseStatus: { code: 403, reason: "Forbidden" },
        annotations: { "authorization.k8s.io/decision": "forbid", "authorization.k8s.io/reason": "not bob" },
      },
    ]);
  });

  it("records annotations of admission, and a failure inside the server as a panic", async () => {
    const server = await audited(at("Metadata"), {
      admission: [
        {
          name: "test",
          validate: (request) => {
            if (request.name === "bad") throw new Error("bug");
            request.annotate("z.example.com/x", "1");
          },
        },
      ],
    });
    await server.call("POST", maps, { metadata: { name: "good" } });
    await server.call("POST", maps, { metadata: { name: "bad" } });
    expect(await server.events()).toMatchObject([
      { stage: "ResponseComplete", annotations: { "authorization.k8s.io/decision": "allow", "z.example.com/x": "1" } },
      { stage: "Panic", responseStatus: { status: "Failure", message: "APIServer panic'd: bug", reason: "InternalError", code: 500 } },
    ]);
  });

  it("records nothing at level None, and no omitted stage", async () => {
    const server = await audited({
      rules: [
        { level: "None", verbs: ["get"] },
        { level: "Metadata", omitStages: ["RequestReceived", "ResponseComplete"] },
      ],
    });
    await server.call("GET", "/version");
    await server.call("POST", maps, { metadata: { name: "a" } });
    expect(await server.events()).toEqual([]);
  });

  it("answers while the sink hangs or fails", async () => {
    const policy: AuditPolicy = { rules: [{ level: "Metadata" }] };
    for (const write of [() => new Promise<void>(() => undefined), () => Promise.reject(new Error("disk full"))]) {
      const server = await testServer({ audit: { policy, sink: { write } } });
      expect((await server.call("GET", "/version")).status).toBe(200);
      expect((await server.call("POST", maps, { metadata: { name: "a" } })).status).toBe(201);
    }
  });

  it("refuses an invalid policy at the start", async () => {
    await expect(audited({ rules: [] })).rejects.toThrow("audit policy: loaded illegal policy with 0 rules");
  });
});
