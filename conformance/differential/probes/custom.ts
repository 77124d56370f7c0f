/** Custom resources: definitions, and their objects. */
import type { JsonObject, JsonValue } from "@drover/machinery";
import { namesOf, valueAt } from "../exchange.ts";
import {
  asTable,
  changed,
  define,
  definitions,
  established,
  hasCondition,
  schema,
  widget,
  widgetDefinition,
  widgetSpec,
} from "../probe-objects.ts";
import { probe } from "../probe.ts";
import type { Chapter } from "../probe.ts";
import type { ProbeSession } from "../session.ts";

const at = (...path: readonly string[]): { readonly view: (body: JsonValue) => JsonValue } => ({
  view: (body) => valueAt({ body }, ...path) ?? valueAt({ body }, "message") ?? null,
});
const withSpec = (spec: JsonObject): { readonly version: JsonObject } => ({ version: { schema: schema(spec) } });
const dry = `${definitions}?dryRun=All`;

/** Creates Widgets with these specs in dry runs, and records only the resulting spec or the error. */
async function specs(s: ProbeSession, widgets: string, ...all: readonly JsonValue[]): Promise<void> {
  for (const spec of all) await s.post(`${widgets}?dryRun=All`, widget(s, "a", { spec }), at("spec"));
}

export const custom: Chapter = {
  name: "custom",
  probes: [
    probe("P188 a definition gets its defaults, is accepted and established", async (s) => {
      const definition = widgetDefinition(s);
      await s.post(definitions, definition, {
        view: (body) => [valueAt({ body }, "spec") ?? null, valueAt({ body }, "metadata", "generation") ?? null],
      });
      await established(s, definition);
      await s.get(`${definitions}/widgets.${s.group}`);
      await s.delete(`${definitions}/widgets.${s.group}`, undefined, at("kind"));
    }),
    probe("P189 a definition in a dry run defines nothing", async (s) => {
      await s.post(dry, widgetDefinition(s), at("kind"));
      await s.get(`${definitions}/widgets.${s.group}`);
      await s.get(s.in(`${s.group}/v1/widgets`));
    }),
    probe("P190 definitions that are refused: names, groups, versions", async (s) => {
      const good = widgetDefinition(s);
      await s.post(dry, { ...good, metadata: { name: "other" } });
      await s.post(dry, widgetDefinition(s, { spec: { group: "nodot" } }));
      await s.post(dry, { ...widgetDefinition(s, { spec: { group: "x.k8s.io" } }), metadata: { name: "widgets.x.k8s.io" } });
      await s.post(dry, widgetDefinition(s, { versions: [] }));
      await s.post(dry, widgetDefinition(s, { version: { storage: false } }));
      await s.post(dry, widgetDefinition(s, { version: { name: "One" } }));
      await s.post(dry, widgetDefinition(s, { spec: { scope: "Everywhere" } }));
      await s.post(dry, widgetDefinition(s, { names: { kind: "bad kind" } }));
      await s.post(dry, widgetDefinition(s, { names: { shortNames: ["Up"], categories: ["Bad Category"] } }));
      await s.post(dry, widgetDefinition(s, { version: { schema: {} } }));
    }),
    probe("P190b definitions that are refused: schemas that are not structural", async (s) => {
      for (const field of [
        {},
        { type: "strange" },
        { type: "array" },
        { type: "string", pattern: "(" },
        { type: "array", items: { type: "string" }, uniqueItems: true },
        { type: "object", properties: { a: { type: "string" } }, additionalProperties: { type: "string" } },
        { type: "integer", default: "text" },
        { type: "string", default: "c", enum: ["a", "b"] },
        { $ref: "#/x" },
        { type: "array", items: { type: "object" }, "x-kubernetes-list-type": "map" },
      ] as readonly JsonObject[]) {
        await s.post(dry, widgetDefinition(s, withSpec({ field })));
      }
    }),
    probe("P190c definitions that are refused: subresources, columns, selectable fields", async (s) => {
      await s.post(
        dry,
        widgetDefinition(s, { version: { subresources: { scale: { specReplicasPath: "spec.replicas", statusReplicasPath: ".spec.x" } } } }),
      );
      await s.post(
        dry,
        widgetDefinition(s, { version: { additionalPrinterColumns: [{ name: "A", type: "strange", jsonPath: ".spec.size" }] } }),
      );
      await s.post(dry, widgetDefinition(s, { version: { additionalPrinterColumns: [{ name: "A", type: "string", jsonPath: "spec[" }] } }));
      await s.post(dry, widgetDefinition(s, { version: { selectableFields: [{ jsonPath: ".spec.none" }] } }));
      await s.post(dry, widgetDefinition(s, { version: { selectableFields: [{ jsonPath: ".spec.free" }] } }));
      await s.post(dry, widgetDefinition(s, { spec: { conversion: { strategy: "Webhook" } } }));
      await s.post(dry, widgetDefinition(s, { spec: { preserveUnknownFields: true } }));
    }),
    probe("P191 names that are taken are not accepted until they are free", async (s) => {
      await define(s, widgetDefinition(s));
      const second = {
        ...widgetDefinition(s, { names: { plural: "gadgets", kind: "Widget", listKind: "GadgetList" } }),
        metadata: { name: `gadgets.${s.group}` },
      };
      await s.post(definitions, second, at("kind"));
      await s.until({ path: `${definitions}/gadgets.${s.group}`, ...at("status") }, (answer) =>
        Array.isArray(valueAt(answer, "status", "conditions")),
      );
      await s.get(s.in(`${s.group}/v1/gadgets`));
      await s.delete(`${definitions}/widgets.${s.group}`, undefined, at("kind"));
      await s.until({ path: `${definitions}/gadgets.${s.group}`, ...at("status") }, (answer) => hasCondition(answer, "Established"));
      await s.delete(`${definitions}/gadgets.${s.group}`, undefined, at("kind"));
    }),
    probe("P192 what may not change in a definition, and what may", async (s) => {
      await define(s, widgetDefinition(s));
      const path = `${definitions}/widgets.${s.group}`;
      await s.patch("merge", path, { spec: { scope: "Cluster" } });
      await s.patch("merge", path, { spec: { group: "other.example.com" } });
      await s.patch("merge", path, { spec: { names: { kind: "Other" } } });
      await s.patch("merge", path, { spec: { versions: [{ name: "v2", served: true, storage: true, schema: schema(widgetSpec) }] } });
      await s.patch("merge", path, { spec: { names: { shortNames: ["wg"] } } }, at("metadata", "generation"));
      await s.until({ path, ...at("status", "acceptedNames") }, (answer) =>
        Array.isArray(valueAt(answer, "status", "acceptedNames", "shortNames")),
      );
    }),
    probe("P193 an empty custom object gets the defaults of its schema, owned by its creator", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(
          s,
          withSpec({
            size: { type: "integer", default: 3 },
            nested: {
              type: "object",
              default: {},
              properties: {
                on: { type: "boolean", default: true },
                list: { type: "array", items: { type: "object", properties: { n: { type: "integer", default: 1 } } } },
              },
            },
            map: { type: "object", additionalProperties: { type: "object", properties: { n: { type: "integer", default: 2 } } } },
          }),
        ),
      );
      await s.post(widgets, widget(s, "a"));
      await s.post(widgets, widget(s, "b", { spec: {} }));
      await s.post(widgets, widget(s, "c", { spec: { nested: { list: [{}, { n: 5 }] }, map: { x: {}, y: { n: 7 } } } }));
    }),
    probe("P194 unknown fields are pruned with warnings in order, or refused", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      const body = widget(s, "a", { spec: { zebra: 1, apple: 2, size: 1, parts: [{ key: "k", extra: 1 }] }, top: true });
      await s.post(widgets, body);
      await s.post(`${widgets}?fieldValidation=Strict`, changed({ status: 0, headers: {}, body }, { metadata: { name: "b" } }));
      await s.post(`${widgets}?fieldValidation=Ignore`, changed({ status: 0, headers: {}, body }, { metadata: { name: "c" } }));
      await s.post(
        `${widgets}?fieldValidation=Strict`,
        `{"apiVersion":"${s.group}/v1","kind":"Widget","metadata":{"name":"d"},"spec":{"size":1,"size":2}}`,
      );
      await s.post(widgets, `{"apiVersion":"${s.group}/v1","kind":"Widget","metadata":{"name":"e","bogus":1},"spec":{"size":1,"size":2}}`);
    }),
    probe("P195 validation of values, one by one", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await specs(
        s,
        widgets,
        { size: 20 },
        { size: -1 },
        { size: "text" },
        { size: 1.5 },
        { mode: "z" },
        { name: "too long" },
        { tags: ["a", "a"] },
        { parts: [{ key: "x" }, { key: "x" }] },
        { parts: [{ value: "keyless" }] },
        "text",
        [],
        { tags: "a" },
        { size: 2.0 },
      );
    }),
    probe("P195b validation of formats, lengths and combinations", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(
          s,
          withSpec({
            when: { type: "string", format: "date-time" },
            ip: { type: "string", format: "ipv4" },
            raw: { type: "string", format: "byte" },
            uuid: { type: "string", format: "uuid" },
            i32: { type: "integer", format: "int32" },
            pattern: { type: "string", pattern: "^a+$" },
            few: { type: "array", minItems: 1, maxItems: 2, items: { type: "string", minLength: 2 } },
            step: { type: "number", multipleOf: 0.5, exclusiveMaximum: true, maximum: 3 },
            props: { type: "object", minProperties: 1, maxProperties: 1, additionalProperties: { type: "integer" } },
            either: {
              type: "object",
              properties: { a: { type: "string" }, b: { type: "string" } },
              oneOf: [{ required: ["a"] }, { required: ["b"] }],
            },
            any: { type: "integer", anyOf: [{ minimum: 10 }, { maximum: 2 }] },
            not: { type: "string", not: { enum: ["no"] } },
            needed: { type: "object", required: ["x"], properties: { x: { type: "string" } } },
          }),
        ),
      );
      await specs(
        s,
        widgets,
        { when: "nope" },
        { ip: "1.2.3" },
        { raw: "!" },
        { uuid: "x" },
        { i32: 3_000_000_000 },
        { pattern: "b" },
        { few: [] },
        { few: ["aa", "bb", "cc"] },
        { few: ["a"] },
        { step: 0.3 },
        { step: 3 },
        { props: {} },
        { props: { a: 1, b: 2 } },
        { props: { a: "x" } },
        { either: {} },
        { either: { a: "1", b: "2" } },
        { any: 5 },
        { not: "no" },
        { needed: {} },
      );
    }),
    probe("P196 another kind or version in the body, and names", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, { ...widget(s, "a"), kind: "Gadget" });
      await s.post(widgets, { ...widget(s, "a"), apiVersion: `${s.group}/v2` });
      await s.post(widgets, { ...widget(s, "a"), apiVersion: "v1" });
      await s.post(widgets, widget(s, "Bad_Name"));
      await s.post(widgets, widget(s, "a", { metadata: { labels: { a: 1 } } }));
      await s.post(widgets, widget(s, "a", { metadata: "text" }), at("reason"));
      await s.post(widgets, { apiVersion: `${s.group}/v1`, kind: "Widget" });
    }),
    probe("P197 null: defaulted, kept where nullable, dropped where not", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(
          s,
          withSpec({
            size: { type: "integer", default: 3 },
            maybe: { type: "string", nullable: true },
            never: { type: "string" },
            both: { type: "string", nullable: true, default: "x" },
          }),
        ),
      );
      await specs(s, widgets, { size: null }, { maybe: null }, { never: null }, { both: null }, null);
    }),
    probe("P198 what is embedded keeps its metadata, what is preserved keeps everything", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(
          s,
          withSpec({
            embedded: { type: "object", "x-kubernetes-embedded-resource": true, "x-kubernetes-preserve-unknown-fields": true },
            pruned: {
              type: "object",
              "x-kubernetes-embedded-resource": true,
              properties: { spec: { type: "object", properties: { a: { type: "string" } } } },
            },
            loose: {
              type: "object",
              "x-kubernetes-preserve-unknown-fields": true,
              properties: { tight: { type: "object", properties: { a: { type: "string" } } } },
            },
          }),
        ),
      );
      await specs(
        s,
        widgets,
        { embedded: { apiVersion: "v1", kind: "Pod", metadata: { name: "a", bogus: 1 }, x: 1 } },
        { embedded: { kind: "Pod" } },
        { pruned: { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { a: "b", c: "d" }, e: 1 } },
        { loose: { any: [1, { b: null }], tight: { a: "x", c: "y" } } },
      );
    }),
    probe("P200 what was valid once may stay while something else changes", async (s) => {
      const widgets = await define(s, widgetDefinition(s, withSpec({ name: { type: "string" }, size: { type: "integer" } })));
      await s.post(widgets, widget(s, "a", { spec: { name: "a long name", size: 1 } }), at("spec"));
      await s.patch(
        "json",
        `${definitions}/widgets.${s.group}`,
        [{ op: "add", path: "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/name/maxLength", value: 3 }],
        at("kind"),
      );
      await s.settle(
        { method: "POST", path: `${widgets}?dryRun=All`, body: widget(s, "b", { spec: { name: "long" } }) },
        ({ status }) => status === 422,
      );
      await s.patch("merge", `${widgets}/a`, { spec: { size: 2 } }, at("spec"));
      await s.patch("merge", `${widgets}/a`, { spec: { name: "also long" } });
      await s.get(`${widgets}/a`, at("spec"));
    }),
    probe("P201 a changed schema shows in what is read, without writing", async (s) => {
      const widgets = await define(s, widgetDefinition(s, withSpec({ a: { type: "string" }, b: { type: "string" } })));
      await s.post(widgets, widget(s, "a", { spec: { a: "1", b: "2" } }), at("spec"));
      await s.patch(
        "merge",
        `${definitions}/widgets.${s.group}`,
        {
          spec: {
            versions: [
              { name: "v1", served: true, storage: true, schema: schema({ a: { type: "string" }, c: { type: "string", default: "new" } }) },
            ],
          },
        },
        at("kind"),
      );
      await s.until({ path: `${widgets}/a`, ...at("spec") }, (answer) => valueAt(answer, "spec", "c") === "new");
    }),
    probe("P202 selectable fields select", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(s, { version: { selectableFields: [{ jsonPath: ".spec.mode" }, { jsonPath: ".spec.size" }] } }),
      );
      for (const [name, spec] of [
        ["a", { mode: "a", size: 1 }],
        ["b", { mode: "b", size: 2 }],
        ["c", {}],
      ] as readonly (readonly [string, JsonObject])[])
        await s.post(widgets, widget(s, name, { spec }), { view: () => null });
      for (const selector of ["spec.mode=a", "spec.mode!=a", "spec.size=2", "spec.mode=", "metadata.name=a", "metadata.name=a,spec.mode=b"])
        await s.get(`${widgets}?fieldSelector=${encodeURIComponent(selector)}`, { view: (body) => namesOf({ body }) });
      await s.get(`${widgets}?fieldSelector=spec.name%3Dx`);
      await s.watch(`${widgets}?watch=true&fieldSelector=spec.mode%3Da`, {
        count: 2,
        during: () => s.quietly("PATCH", `${widgets}/a`, { spec: { mode: "b" } }),
      });
    }),
    probe("P203 two versions of one object, the older with a warning", async (s) => {
      const two = [
        { name: "v1", served: true, storage: true, schema: schema(widgetSpec) },
        { name: "v1beta1", served: true, storage: false, deprecated: true, schema: schema(widgetSpec) },
        { name: "v0", served: false, storage: false, schema: schema(widgetSpec) },
      ];
      const widgets = await define(s, widgetDefinition(s, { versions: two }));
      const old = s.in(`${s.group}/v1beta1/widgets`);
      await s.post(old, { ...widget(s, "a", { spec: { size: 1 } }), apiVersion: `${s.group}/v1beta1` });
      await s.get(`${widgets}/a`);
      await s.get(old);
      await s.patch("merge", `${widgets}/a`, { spec: { size: 2 } }, at("metadata", "managedFields"));
      await s.get(s.in(`${s.group}/v0/widgets`));
      await s.watch(`${old}?watch=true`, { count: 1 });
      await s.apply(`${old}/a`, "one", { ...widget(s, "a", { spec: { size: 3 } }), apiVersion: `${s.group}/v1beta1` }, "&force=true");
    }),
    probe("P203b a warning of one's own for a deprecated version", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(s, { version: { deprecated: true, deprecationWarning: "please use something else" } }),
      );
      await s.get(widgets);
    }),
    probe("P204 scale of custom objects", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(s, {
          version: {
            subresources: {
              status: {},
              scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" },
            },
          },
        }),
      );
      await s.post(widgets, widget(s, "a"), at("spec"));
      await s.get(`${widgets}/a/scale`);
      await s.patch("merge", `${widgets}/a/scale`, { spec: { replicas: 3 } });
      await s.patch("merge", `${widgets}/a`, { spec: { replicas: 2 } }, at("spec"));
      await s.patch("merge", `${widgets}/a/status`, { status: { replicas: 1, selector: "app=web" } }, at("status"));
      const scale = await s.get(`${widgets}/a/scale`);
      await s.put(`${widgets}/a/scale`, changed(scale, { spec: { replicas: 9 } }));
      await s.put(`${widgets}/a/scale`, changed(scale, { spec: { replicas: 10 } }));
      await s.put(`${widgets}/a/scale`, changed(scale, { metadata: { resourceVersion: null }, spec: { replicas: -1 } }));
      await s.get(`${widgets}/a`, {
        view: (body) => [
          valueAt({ body }, "spec") ?? null,
          valueAt({ body }, "metadata", "generation") ?? null,
          valueAt({ body }, "metadata", "managedFields") ?? null,
        ],
      });
    }),
    probe("P205 columns of custom tables", async (s) => {
      const columns = [
        { name: "Size", type: "integer", jsonPath: ".spec.size" },
        { name: "Mode", type: "string", jsonPath: ".spec.mode", description: "how", priority: 1 },
        { name: "First", type: "string", jsonPath: ".spec.tags[0]" },
        { name: "Made", type: "date", jsonPath: ".metadata.creationTimestamp" },
        { name: "On", type: "boolean", jsonPath: ".spec.free.on" },
        { name: "Rate", type: "number", jsonPath: ".spec.free.rate" },
        { name: "All", type: "string", jsonPath: ".spec.parts[*].key" },
        { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
      ];
      const widgets = await define(s, widgetDefinition(s, { version: { additionalPrinterColumns: columns } }));
      await s.post(
        widgets,
        widget(s, "a", {
          spec: { size: 1, mode: "a", tags: ["x", "y"], free: { on: true, rate: 1.5 }, parts: [{ key: "k1" }, { key: "k2" }] },
          status: { conditions: [{ type: "Ready", status: "True" }] },
        }),
        at("metadata", "name"),
      );
      await s.post(widgets, widget(s, "b", { spec: { free: { on: "text", rate: "text" } } }), at("metadata", "name"));
      await s.get(widgets, { headers: { accept: asTable } });
    }),
    probe("P206 a definition that goes takes its objects with it", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, widget(s, "a"), at("metadata", "name"));
      await s.delete(`${definitions}/widgets.${s.group}`, undefined, {
        view: (body) => [valueAt({ body }, "kind") ?? null, valueAt({ body }, "metadata", "finalizers") ?? null],
      });
      await s.until({ path: `${definitions}/widgets.${s.group}` }, ({ status }) => status === 404);
      await s.until({ path: widgets }, ({ status }) => status === 404);
      const again = await define(s, widgetDefinition(s));
      await s.get(again);
    }),
    probe("P207 custom objects outside namespaces", async (s) => {
      const things = await define(s, widgetDefinition(s, { spec: { scope: "Cluster" } }));
      await s.post(things, widget(s, "a"));
      await s.post(things, widget(s, "b", { metadata: { namespace: s.namespace } }));
      await s.get(things, { view: (body) => namesOf({ body }) });
      await s.get(s.in(`${s.group}/v1/widgets`));
      await s.get(s.in(`${s.group}/v1/widgets`, "a"));
      await s.delete(`${things}/a`);
    }),
    probe("P208 numbers or text, and what is neither", async (s) => {
      const widgets = await define(
        s,
        widgetDefinition(
          s,
          withSpec({
            port: { "x-kubernetes-int-or-string": true },
            limit: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }], pattern: "^[0-9]+%?$" },
          }),
        ),
      );
      await specs(
        s,
        widgets,
        { port: 80 },
        { port: "http" },
        { port: true },
        { port: 1.5 },
        { limit: 5 },
        { limit: "10%" },
        { limit: "x" },
      );
    }),
    probe("P208b writes of custom objects in dry runs", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.post(`${widgets}?dryRun=All`, widget(s, "a"));
      await s.get(`${widgets}/a`);
      const created = await s.post(widgets, widget(s, "a"));
      await s.put(`${widgets}/a?dryRun=All`, changed(created, { spec: { size: 9 } }), at("metadata", "generation"));
      await s.patch("merge", `${widgets}/a?dryRun=All`, { spec: { size: 8 } }, at("spec"));
      await s.delete(`${widgets}/a?dryRun=All`);
      await s.delete(`${widgets}?dryRun=All`);
      await s.get(`${widgets}/a`, at("spec"));
    }),
    probe("P208c strictness of replacing a custom object", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      const created = await s.post(widgets, widget(s, "a"), at("spec"));
      for (const fieldValidation of ["Strict", "Warn", "Ignore"])
        await s.put(
          `${widgets}/a?fieldValidation=${fieldValidation}`,
          changed(created, { metadata: { labels: { is: fieldValidation } }, spec: { bogus: 1 } }),
          at("metadata", "labels"),
        );
    }),
    probe("P208d generated names, owners and finalizers of custom objects", async (s) => {
      const widgets = await define(s, widgetDefinition(s));
      await s.post(widgets, { apiVersion: `${s.group}/v1`, kind: "Widget", metadata: { generateName: "w-" } });
      await s.post(widgets, widget(s, "a", { metadata: { ownerReferences: [{}] } }));
      await s.post(
        widgets,
        widget(s, "b", { metadata: { uid: "00000000-0000-4000-8000-000000000001", generation: 9, resourceVersion: "3" } }),
      );
      await s.post(
        widgets,
        widget(s, "b", { metadata: { uid: "00000000-0000-4000-8000-000000000001", generation: 9, creationTimestamp: null } }),
      );
      await s.post(widgets, widget(s, "b"));
    }),
  ],
};
