/** Probes of custom objects that are stored in another version than the storage version, and of `status.storedVersions`. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { isJsonObject } from "@drover/machinery";
import { webhookEndpoint } from "../../servers/webhook-endpoint.ts";
import type { Hook } from "../../servers/webhook-endpoint.ts";
import { namesOf, objectOf, uidOf, valueAt, versionOf } from "../exchange.ts";
import type { Answer } from "../exchange.ts";
import { asPartialList, changed, define, definitions, schema, widgetDefinition } from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const at = (...path: readonly string[]): { readonly view: (body: JsonValue) => JsonValue } => ({
  view: (body) => valueAt({ body }, ...path) ?? valueAt({ body }, "message") ?? null,
});

/** Specs by version; a version without a spec of its own has `a` and `b`. */
type Specs = Readonly<Record<string, JsonObject>>;
const plain: JsonObject = { a: { type: "string" }, b: { type: "string" } };

/** Versions of Widget, of which one is the storage version. Their schemas name it in a field, by which a probe sees a move. */
function versions(names: readonly string[], storage: string, specs: Specs = {}): JsonObject[] {
  return names.map((name) => ({
    name,
    served: true,
    storage: name === storage,
    schema: schema({ ...(specs[name] ?? plain), [`storedIn${storage}`]: { type: "boolean" } }),
  }));
}

interface Stored {
  readonly crd: string;
  /** The collection in one version. */
  readonly in: (version: string) => string;
  readonly body: (version: string, name: string, spec?: JsonObject) => JsonObject;
  /** Changes the storage version, and waits until the server uses it. */
  readonly move: (storage: string, names?: readonly string[]) => Promise<void>;
}

async function stored(s: ProbeSession, names: readonly string[], storage: string, specs: Specs = {}): Promise<Stored> {
  await define(s, widgetDefinition(s, { versions: versions(names, storage, specs) }));
  const crd = `${definitions}/widgets.${s.group}`;
  const within = (version: string): string => s.in(`${s.group}/${version}/widgets`);
  const body: Stored["body"] = (version, name, spec = { a: "1" }) => ({
    apiVersion: `${s.group}/${version}`,
    kind: "Widget",
    metadata: { name },
    spec,
  });
  const move: Stored["move"] = async (next, kept = names) => {
    await s.quietly("PATCH", crd, { spec: { versions: versions(kept, next, specs) } });
    for (const version of kept)
      await s.settle(
        { method: "POST", path: `${within(version)}?dryRun=All`, body: body(version, "x", { [`storedIn${next}`]: "no" }) },
        ({ status }) => status === 422,
      );
  };
  return { crd, in: within, body, move };
}

const identity = (answer: Answer): JsonObject => ({
  status: answer.status,
  resourceVersion: versionOf(answer),
  generation: valueAt(answer, "metadata", "generation") ?? null,
  managedFields: valueAt(answer, "metadata", "managedFields") ?? null,
});

/** Writes an object without a change and records whether the server has written it. */
async function rewrite(s: ProbeSession, how: string, path: string, write: (before: Answer) => Promise<Answer>): Promise<void> {
  const before = await s.settle({ path }, ({ status }) => status === 200);
  const first = await write(before);
  const second = await write(first);
  const [was, then, last] = [before, first, second].map(identity);
  s.fact(`${how}: the first write is stored, keeps the generation, keeps the managed fields; the second is stored`, [
    then?.["status"] ?? null,
    was?.["resourceVersion"] !== then?.["resourceVersion"],
    was?.["generation"] === then?.["generation"],
    JSON.stringify(was?.["managedFields"]) === JSON.stringify(then?.["managedFields"]),
    then?.["resourceVersion"] !== last?.["resourceVersion"],
  ]);
}

async function rewrites(s: ProbeSession, from: string, to: string): Promise<void> {
  const widgets = await stored(s, [from, to], from);
  const names = ["put", "merge", "json", "dry", "other", "apply", "finalizer", "touched"];
  for (const name of names) await s.quietly("POST", widgets.in(from), widgets.body(from, name));
  await widgets.move(to);
  await s.get(widgets.crd, at("status", "storedVersions"));
  const [path, old] = [(name: string): string => `${widgets.in(to)}/${name}`, (name: string): string => `${widgets.in(from)}/${name}`];
  const quiet = { view: (): JsonValue => null };
  await rewrite(s, "PUT", path("put"), (before) => s.put(path("put"), objectOf(before), quiet));
  await rewrite(s, "an empty merge patch", path("merge"), () => s.patch("merge", path("merge"), {}, quiet));
  await rewrite(s, "an empty JSON patch", path("json"), () => s.patch("json", path("json"), [], quiet));
  await rewrite(s, "a dry run", path("dry"), (before) => s.put(`${path("dry")}?dryRun=All`, objectOf(before), quiet));
  await rewrite(s, "PUT in the old version", old("other"), (before) => s.put(old("other"), objectOf(before), quiet));
  await rewrite(s, "an empty apply", path("apply"), (before) =>
    s.patch(
      "apply",
      `${path("apply")}?fieldManager=one`,
      {
        apiVersion: `${s.group}/${to}`,
        kind: "Widget",
        metadata: { name: "apply", uid: uidOf(before), resourceVersion: versionOf(before) },
      },
      quiet,
    ),
  );
  await rewrite(s, "a merge patch with uid and version", path("touched"), (before) =>
    s.patch("merge", path("touched"), { metadata: { uid: uidOf(before), resourceVersion: versionOf(before) } }, quiet),
  );
  await s.watch(`${widgets.in(to)}?watch=true&resourceVersion=${versionOf(await s.quietly("GET", widgets.in(to)))}`, {
    count: 1,
    during: () => s.quietly("PATCH", path("finalizer"), {}),
    view: (event) => [valueAt({ body: event }, "type") ?? null, valueAt({ body: event }, "object", "apiVersion") ?? null],
  });
}

const objectsOf = ({ objects }: JsonObject): JsonObject[] => (Array.isArray(objects) ? objects.filter(isJsonObject) : []);
/** Converts by apiVersion alone, except a review with an object named "bad". */
const converts: Hook = (request) =>
  objectsOf(request).some((object) => valueAt({ body: object }, "metadata", "name") === "bad")
    ? { response: { result: { status: "Failure", message: "bad has no converted form" } } }
    : {
        response: {
          result: { status: "Success" },
          convertedObjects: objectsOf(request).map((object) => ({ ...object, apiVersion: request["desiredAPIVersion"] ?? "" })),
        },
      };

export const storedVersions: Chapter = {
  name: "stored-versions",
  probes: [
    probe("P990 unchanged writes of objects that are stored in another version", (s) => rewrites(s, "v1alpha1", "v1")),
    probe("P990a the same for two versions with names of equal length", (s) => rewrites(s, "v1", "v2")),
    probe("P991 a version is removed from a definition when no object is stored in it", async (s) => {
      const widgets = await stored(s, ["v1alpha1", "v1"], "v1alpha1");
      await s.quietly("POST", widgets.in("v1"), widgets.body("v1", "a"));
      await widgets.move("v1");
      await s.patch("merge", widgets.crd, { spec: { versions: versions(["v1"], "v1") } });
      await s.patch(
        "merge",
        widgets.crd,
        { spec: { versions: versions(["v1"], "v1") }, status: { storedVersions: ["v1"] } },
        at("status", "storedVersions"),
      );
      await s.quietly("PATCH", `${widgets.in("v1")}/a`, {});
      await s.patch("merge", `${widgets.crd}/status`, { status: { storedVersions: ["v1"] } }, at("status", "storedVersions"));
      await s.patch("merge", widgets.crd, { spec: { versions: versions(["v1"], "v1") } }, at("status", "storedVersions"));
      await s.settle({ path: widgets.in("v1alpha1") }, ({ status }) => status === 404);
      await s.get(`${widgets.in("v1")}/a`, at("spec"));
    }),
    probe("P992 stored versions that a status may have", async (s) => {
      const widgets = await stored(s, ["v1alpha1", "v1"], "v1");
      const listed = at("status", "storedVersions");
      const set = (...all: readonly JsonValue[]): Promise<Answer> =>
        s.patch("merge", `${widgets.crd}/status`, { status: { storedVersions: [...all] } }, listed);
      await set("v1", "v1alpha1");
      await set("v1alpha1");
      await s.patch("merge", widgets.crd, { metadata: { labels: { a: "b" } } }, listed);
      await set("v1", "v7");
      await s.patch("merge", widgets.crd, { metadata: { labels: { a: "c" } } });
      await set();
      await s.patch("merge", `${widgets.crd}/status`, { status: { storedVersions: null } }, listed);
      await set("v1", "v1");
      await set(1);
      await set("v1");
      const current = await s.quietly("GET", widgets.crd);
      await s.put(`${widgets.crd}/status`, changed(current, { metadata: { resourceVersion: "1" } }), at("reason"));
      await s.patch("merge", `${widgets.crd}/status`, { metadata: { resourceVersion: "1" }, status: { storedVersions: ["v1"] } });
    }),
    probe("P993 the storage version moves there and back", async (s) => {
      const widgets = await stored(s, ["v1alpha1", "v1beta1", "v1"], "v1beta1");
      for (const next of ["v1alpha1", "v1", "v1beta1"]) {
        await widgets.move(next);
        await s.get(widgets.crd, at("status", "storedVersions"));
      }
      await s.get(widgets.crd, at("metadata", "generation"));
    }),
    probe("P994 an object in a version that the definition no longer has", async (s) => {
      const widgets = await stored(s, ["v1alpha1", "v1"], "v1alpha1");
      for (const name of ["a", "b"]) await s.quietly("POST", widgets.in("v1"), widgets.body("v1", name));
      await widgets.move("v1");
      await s.quietly("PATCH", `${widgets.in("v1")}/b`, {});
      await s.quietly("PATCH", `${widgets.crd}/status`, { status: { storedVersions: ["v1"] } });
      await s.quietly("PATCH", widgets.crd, { spec: { versions: versions(["v1"], "v1", { v1: { ...plain, c: { type: "boolean" } } }) } });
      await s.settle(
        { method: "POST", path: `${widgets.in("v1")}?dryRun=All`, body: widgets.body("v1", "x", { c: "no" }) },
        ({ status }) => status === 422,
      );
      await s.get(`${widgets.in("v1")}/a`);
      await s.get(`${widgets.in("v1")}/b`, at("spec"));
      await s.patch("merge", `${widgets.in("v1")}/a`, {});
      await s.delete(`${widgets.in("v1")}/a`);
    }),
    probe("P995 fields and defaults of the version that an object is stored in", async (s) => {
      const specs = {
        v1alpha1: { ...plain, old: { type: "string" }, size: { type: "integer", default: 1 } },
        v1: { ...plain, young: { type: "string", default: "y" }, size: { type: "integer", default: 2 } },
      };
      const widgets = await stored(s, ["v1alpha1", "v1"], "v1alpha1", specs);
      await s.post(widgets.in("v1alpha1"), widgets.body("v1alpha1", "a", { a: "1", old: "o" }), at("spec"));
      await s.post(widgets.in("v1"), widgets.body("v1", "b", { a: "1", young: "n" }), at("spec"));
      await widgets.move("v1");
      for (const version of ["v1alpha1", "v1"]) for (const name of ["a", "b"]) await s.get(`${widgets.in(version)}/${name}`, at("spec"));
      for (const version of ["v1alpha1", "v1"])
        await s.get(widgets.in(version), { view: (body) => [0, 1].map((index) => valueAt({ body }, "items", `${index}`, "spec") ?? null) });
      await s.patch("merge", `${widgets.in("v1")}/a`, {}, at("spec"));
      await s.patch("merge", `${widgets.in("v1alpha1")}/b`, {}, at("spec"));
      for (const version of ["v1alpha1", "v1"]) for (const name of ["a", "b"]) await s.get(`${widgets.in(version)}/${name}`, at("spec"));
    }),
    probe("P996 a webhook that cannot convert one of the stored objects", async (s) => {
      const endpoint = await webhookEndpoint();
      endpoint.set("convert", converts);
      try {
        const widgets = await stored(s, ["v1alpha1", "v1"], "v1alpha1");
        for (const name of ["a", "bad", "c"]) await s.quietly("POST", widgets.in("v1alpha1"), widgets.body("v1alpha1", name));
        const clientConfig = { url: endpoint.url("convert"), caBundle: endpoint.caBundle };
        await s.quietly("PATCH", widgets.crd, {
          spec: { conversion: { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } } },
        });
        await widgets.move("v1");
        await s.get(`${widgets.in("v1alpha1")}?limit=10`, { view: (body) => namesOf({ body }) });
        await s.patch("merge", `${widgets.in("v1")}/a`, {}, at("kind"));
        await s.patch("merge", `${widgets.in("v1")}/bad`, {});
        await s.patch("merge", `${widgets.in("v1alpha1")}/bad`, {});
        await s.patch("merge", `${widgets.in("v1")}/c`, {}, at("kind"));
        await s.get(`${widgets.in("v1alpha1")}?limit=10`, {
          headers: { accept: asPartialList },
          view: (body) => namesOf({ body }),
        });
        await s.quietly("PATCH", widgets.crd, { spec: { conversion: { strategy: "None", webhook: null } } });
      } finally {
        await endpoint.close();
      }
    }),
    probe("P997 an empty patch with the uid and version of another object", async (s) => {
      const widgets = await stored(s, ["v1alpha1", "v1"], "v1alpha1");
      const made = await s.quietly("POST", widgets.in("v1"), widgets.body("v1", "a"));
      await widgets.move("v1");
      const path = `${widgets.in("v1")}/a`;
      const [uid, resourceVersion] = [uidOf(made), versionOf(made)];
      await s.patch("merge", path, { metadata: { uid: "other", resourceVersion } });
      await s.patch("merge", path, { metadata: { uid, resourceVersion: "1" } });
      await s.patch("merge", path, { metadata: { uid: "other", resourceVersion: "1" } });
      await s.patch("merge", `${widgets.in("v1")}/gone`, { metadata: { uid, resourceVersion } });
    }),
    probe("P998 unchanged writes of objects that break rules of the new version", async (s) => {
      const widgets = await stored(s, ["v1alpha1", "v1"], "v1alpha1");
      for (const name of ["a", "bad"]) await s.quietly("POST", widgets.in("v1"), widgets.body("v1", name));
      const ruled = versions(["v1alpha1", "v1"], "v1", { v1: { ...plain, a: { type: "string", maxLength: 0 }, c: { type: "boolean" } } });
      const root = { rule: "self.metadata.name != 'bad'", message: "bad is not allowed" };
      const withRoot = changed(
        { status: 200, headers: {}, body: ruled[1] ?? {} },
        { schema: { openAPIV3Schema: { "x-kubernetes-validations": [root] } } },
      );
      await s.quietly("PATCH", widgets.crd, { spec: { versions: [ruled[0] ?? {}, withRoot] } });
      await s.settle(
        { method: "POST", path: `${widgets.in("v1")}?dryRun=All`, body: widgets.body("v1", "x", { c: "no" }) },
        ({ status }) => status === 422,
      );
      for (const name of ["a", "bad"]) await s.patch("merge", `${widgets.in("v1")}/${name}`, {}, at("spec"));
      await s.patch("merge", `${widgets.in("v1")}/bad`, { metadata: { labels: { a: "b" } } }, at("spec"));
    }),
  ],
};
