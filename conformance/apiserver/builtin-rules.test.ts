/** The table of rules of built-in kinds, their selectable fields and their keys, compared with a real server. */
import { isJsonObject } from "@drover/machinery";
import type { JsonObject, Kind, ObjectMeta } from "@drover/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { rulesOf } from "../../packages/apiserver/src/builtin/rules.ts";
import { selectableFieldsOf } from "../../packages/apiserver/src/builtin/selectable-fields.ts";
import { storagePrefixOf } from "../../packages/apiserver/src/builtin/storage-prefix.ts";
import type { Resource } from "../../packages/apiserver/src/registry/resource.ts";
import { readSelectors, selectionOf } from "../../packages/apiserver/src/registry/selection.ts";
import { bodyOf, keyOf, kindOf, pathOf, sendObject, tryObject } from "./kind-requests.ts";
import { minimalObjects } from "./minimal-objects.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";

let server: RealServer;
// A server of its own: the objects created here break discovery for others.
beforeAll(async () => {
  if (realServerMissing === undefined) server = await startRealServer();
}, 90_000);
afterAll(() => (realServerMissing === undefined ? server.stop() : undefined), 30_000);

const metaOf = ({ metadata }: JsonObject): ObjectMeta => metadata as unknown as ObjectMeta;

async function withObject(kind: Kind, use: (made: JsonObject, path: string) => Promise<void>, metadata: JsonObject = {}): Promise<void> {
  const body = bodyOf(kind, minimalObjects[keyOf(kind)] ?? {}, "rules");
  const made = await sendObject(server, "POST", pathOf(kind), { ...body, metadata: { ...(body["metadata"] as JsonObject), ...metadata } });
  const path = `${pathOf(kind)}/${metaOf(made).name}`;
  try {
    await use(made, path);
  } finally {
    await tryObject(server, "DELETE", `${path}?propagationPolicy=Background&gracePeriodSeconds=0`);
    await tryObject(server, "GET", path).then(({ status, answer }) => (status === 200 ? letGo(kind, answer, path) : undefined));
  }
}

/** Changes metadata of the latest state, retrying when the server's own controllers write in between. */
async function change(path: string, metadata: (latest: JsonObject) => JsonObject, subresource = ""): Promise<JsonObject> {
  for (;;) {
    const latest = await sendObject(server, "GET", path);
    const { status, answer } = await tryObject(server, "PUT", `${path}${subresource}`, {
      ...latest,
      metadata: { ...(latest["metadata"] as JsonObject), ...metadata(latest) },
    });
    if (status === 200) return answer;
    if (status !== 409) throw new Error(`${status} ${JSON.stringify(answer)}`);
  }
}

/** Completes objects that wait for a controller, because no controllers run. */
async function letGo(kind: Kind, object: JsonObject, path: string): Promise<void> {
  const { finalizers: _gone, ...metadata } = object["metadata"] as JsonObject;
  if (kind.kind === "Namespace") await tryObject(server, "PUT", `${path}/finalize`, { ...object, spec: {} });
  else await tryObject(server, "PUT", path, { ...object, metadata });
}

const all = Object.keys(minimalObjects).map((key) => ({ key, kind: kindOf(key) }));

describe.skipIf(realServerMissing !== undefined)("rules of built-in kinds, compared with a real server", () => {
  it.each(all)("$key: generation of a new object, and whether metadata counts", async ({ kind }) =>
    withObject(
      kind,
      async (made, path) => {
        const { generation } = rulesOf(kind);
        const first = generation === "none" || generation === "spec-after-create" ? 7 : 1;
        expect(metaOf(made).generation).toBe(first);
        const annotated = await change(path, (latest) => ({ annotations: { ...metaOf(latest).annotations, a: "b" } }));
        const second = generation === "spec-and-annotations" ? 2 : first;
        expect(metaOf(annotated).generation).toBe(second);
        const labelled = await change(path, (latest) => ({ labels: { ...metaOf(latest).labels, a: "b" } }));
        expect(metaOf(labelled).generation).toBe(generation === "all-and-labels" ? second + 1 : second);
      },
      { generation: 7 },
    ),
  );

  it.each(all)("$key: an update without a resourceVersion", async ({ kind }) =>
    withObject(kind, async (made, path) => {
      const { resourceVersion: _version, uid: _uid, ...metadata } = made["metadata"] as JsonObject;
      const { status } = await tryObject(server, "PUT", `${path}?dryRun=All`, { ...made, metadata });
      expect(status).toBe(rulesOf(kind).unconditionalUpdate ? 200 : 422);
    }),
  );

  it.each(all)("$key: an update of a missing object", async ({ kind }) => {
    const body = bodyOf(kind, minimalObjects[keyOf(kind)] ?? {}, "nobody-here");
    const { status, answer } = await tryObject(server, "PUT", `${pathOf(kind)}/${metaOf(body).name}?dryRun=All`, body);
    expect([status, answer["message"]]).toEqual(
      rulesOf(kind).createOnUpdate ? [201, answer["message"]] : [404, expect.stringContaining("not found")],
    );
  });

  it.each(all)("$key: its storage key", async ({ kind }) =>
    withObject(kind, async (made, path) => {
      const { answer } = await tryObject(server, "PUT", path, {
        ...made,
        metadata: { ...(made["metadata"] as JsonObject), uid: "another" },
      });
      const namespace = kind.scope === "Namespaced" ? "default/" : "";
      expect(answer["message"]).toContain(`Key: ${storagePrefixOf(kind)}${namespace}${metaOf(made).name}, `);
    }),
  );

  it.each(all)("$key: the answer to a deletion", async ({ kind }) =>
    withObject(kind, async (made, path) => {
      const { returnsDeleted, orphansByDefault } = rulesOf(kind);
      const orphaned = await sendObject(server, "DELETE", `${path}?dryRun=All`);
      expect((isJsonObject(orphaned["metadata"]) && metaOf(orphaned).finalizers?.includes("orphan")) ?? false).toBe(orphansByDefault);
      // Objects that must be completed first are returned, whatever the rule.
      if (metaOf(made).finalizers !== undefined || kind.kind === "CustomResourceDefinition") return;
      const deleted = await sendObject(server, "DELETE", `${path}?dryRun=All&propagationPolicy=Background`);
      expect(deleted["kind"]).toBe(returnsDeleted ? kind.kind : "Status");
    }),
  );

  it.each(all.filter(({ kind }) => "status" in kind.subresources))("$key: metadata at the status", async ({ kind }) =>
    withObject(kind, async (_made, path) => {
      const answer = await change(
        path,
        (latest) => ({ labels: { ...metaOf(latest).labels, a: "b" }, annotations: { ...metaOf(latest).annotations, a: "b" } }),
        "/status",
      );
      const { statusMetadata } = rulesOf(kind);
      expect([metaOf(answer).labels?.["a"] === "b", metaOf(answer).annotations?.["a"] === "b"]).toEqual([
        statusMetadata.startsWith("all"),
        statusMetadata !== "none",
      ]);
    }),
  );

  it.each(all)("$key: validation of its name", async ({ key, kind }) => {
    for (const name of ["A_b", "a.b", "a%b", "1a", "a-", "x".repeat(64), "y".repeat(254)]) {
      const body = bodyOf(kind, minimalObjects[key] ?? {}, name);
      const { answer } = await tryObject(server, "POST", `${pathOf(kind)}?dryRun=All`, { ...body, metadata: { name } });
      expect([name, nameProblems(answer)]).toEqual([
        name,
        rulesOf(kind)
          .checkName(name)
          .map((problem) => `Invalid value: ${JSON.stringify(name)}: ${problem}`),
      ]);
    }
  });

  it.each(all)("$key: selectable fields", async ({ kind }) => {
    const fields = selectableFieldsOf(kind);
    const resource = { kind, rules: rulesOf(kind), selectableFields: fields, isCustom: false } as unknown as Resource;
    for (const field of [...fields.keys(), "metadata.name", "metadata.namespace", "nothing.known", 'a"b']) {
      const { status, answer } = await tryObject(server, "GET", `${pathOf(kind)}?fieldSelector=${encodeURIComponent(`${field}=x`)}`);
      expect([field, status === 200 ? undefined : answer["message"]]).toEqual([field, refusal(resource, `${field}=x`)]);
    }
  });
});

/** Messages about the name alone. */
function nameProblems({ details }: JsonObject): string[] {
  const causes = isJsonObject(details) && Array.isArray(details["causes"]) ? details["causes"] : [];
  const messages = causes.flatMap((cause) =>
    isJsonObject(cause) && cause["field"] === "metadata.name" && typeof cause["message"] === "string" ? [cause["message"]] : [],
  );
  return messages.filter((message) => !/must be `?spec\.|must be no more than 52/.test(message));
}

function refusal(resource: Resource, fieldSelector: string): string | undefined {
  try {
    selectionOf(resource, readSelectors({ fieldSelector }));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
