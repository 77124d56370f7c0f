/** Custom resources: our definitions, objects and tables compared with a real server's. */
import type { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { decodeJson, fieldErrorCause, isJsonObject, jsonEqual } from "@drover/machinery";
import type { FieldError, JsonObject, KubeObject, StatusCause } from "@drover/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setCustomResourceDefinitionDefaults } from "../../packages/apiserver/src/builtin/defaults/extension-defaults.ts";
import { DecodeError } from "../../packages/apiserver/src/codec/codec.ts";
import { customResources } from "../../packages/apiserver/src/custom/crd-resources.ts";
import { crdStrategy } from "../../packages/apiserver/src/custom/definition/crd-strategy.ts";
import type { Resource } from "../../packages/apiserver/src/registry/resource.ts";
import { definitions, updates } from "./custom-definitions.ts";
import { instanceDefinitions, instances, laxObject, laxSpecs, laxStatus, laxStatuses, laxThing, strictThing } from "./custom-instances.ts";
import type { InstanceCase } from "./custom-instances.ts";
import { tableDefinition, tableObjects } from "./custom-tables.ts";
import { realServerMissing, startRealServer } from "../servers/real-server.ts";
import type { RealServer } from "../servers/real-server.ts";

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const json = { "content-type": "application/json" };

interface Answer {
  readonly status: number;
  readonly body: JsonObject;
  readonly causes: readonly StatusCause[];
  readonly warnings: readonly string[];
}

describe.skipIf(realServerMissing !== undefined)(
  `custom resources${realServerMissing === undefined ? "" : ` (${realServerMissing})`}`,
  () => {
    let server: RealServer;
    beforeAll(async () => {
      // A server of its own: definitions are cluster-wide, and other suites read them.
      server = await startRealServer();
    }, 120_000);
    afterAll(() => server.stop());

    async function send(
      method: string,
      path: string,
      body?: JsonObject | string,
      headers: Readonly<Record<string, string>> = json,
    ): Promise<Answer> {
      const response = await server.send({
        method,
        path,
        ...(body === undefined ? {} : { headers, body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
      const parsed = decodeJson(response.body) as JsonObject & { readonly details?: { readonly causes?: readonly StatusCause[] } };
      const warnings = [response.headers["warning"] ?? []]
        .flat()
        .flatMap((header) => header.split(/, (?=299 )/))
        .map((text) => JSON.parse(text.replace(/^299 - /, "")) as string);
      return { status: response.status, body: parsed, causes: parsed.details?.causes ?? [], warnings };
    }

    /** Creates a definition on the real server and waits until it is served; returns our resources for it. */
    async function define(crd: JsonObject): Promise<Resource[]> {
      const path = `${definitionsPath}/${(crd["metadata"] as { readonly name: string }).name}`;
      await send("POST", definitionsPath, crd);
      const live = await until(
        () => send("GET", path),
        ({ body }) => JSON.stringify(body).includes("InitialNamesAccepted"),
      );
      return customResources(live.body as unknown as CustomResourceDefinition);
    }

    describe("objects", () => {
      const resources = new Map<string, Resource>();
      beforeAll(async () => {
        for (const [plural, crd] of Object.entries(instanceDefinitions))
          for (const resource of await define(crd)) resources.set(`${plural}/${resource.kind.version}`, resource);
        // The server delays the first creations while a definition is younger than this.
        await new Promise((resolve) => setTimeout(resolve, 2100));
      }, 60_000);

      it.each(instances.map((each): readonly [string, InstanceCase] => [`${each.plural} ${each.body}`, each]))(
        "%s: is the same",
        async (_title, { plural, body, version = "v1", mediaType }) => {
          const resource = resources.get(`${plural}/${version}`);
          if (resource === undefined) throw new Error(`no ${plural}`);
          const theirs = await send("POST", `${pathOf(resource)}?dryRun=All&fieldValidation=Warn`, body, {
            "content-type": mediaType ?? "application/json",
          });
          expectSame(createdBy(resource, body, mediaType ?? "application/json"), theirs);
        },
      );
    });

    describe("changes of objects that a new schema would refuse", () => {
      let live: JsonObject;
      let resource: Resource;
      beforeAll(async () => {
        const [lax] = await define(laxThing);
        if (lax === undefined) throw new Error("not served");
        await until(
          () => send("POST", pathOf(lax), laxObject),
          ({ status }) => status === 201,
        );
        await send("PATCH", `${pathOf(lax)}/a/status`, { status: laxStatus }, { "content-type": "application/merge-patch+json" });
        const crd = await send("GET", `${definitionsPath}/laxes.ex.io`);
        const strict = await send("PUT", `${definitionsPath}/laxes.ex.io`, { ...strictThing, metadata: crd.body["metadata"] ?? null });
        expect(strict.status).toBe(200);
        [resource] = customResources(strict.body as unknown as CustomResourceDefinition) as [Resource];
        const tight = { spec: { a: "x", n: 99, must: 1 } };
        await until(
          () => send("PATCH", `${pathOf(lax)}/a?dryRun=All`, tight, { "content-type": "application/merge-patch+json" }),
          ({ status }) => status === 422,
        );
        live = (await send("GET", `${pathOf(lax)}/a`)).body;
      }, 60_000);

      it.each(laxSpecs)("a spec of %j", async (spec) => {
        const theirs = await send("PUT", `${pathOf(resource)}/a?dryRun=All`, { ...live, spec });
        const { object } = resource.codec.decodeValue({ ...live, spec });
        expectSameCauses(resource.strategy.validateUpdate?.(asKubeObject(object), asKubeObject(live)) ?? [], theirs.causes);
      });

      it.each(laxStatuses)("a status of %j", async (status) => {
        const theirs = await send("PUT", `${pathOf(resource)}/a/status?dryRun=All`, { ...live, status });
        const { object } = resource.codec.decodeValue({ ...live, status });
        expectSameCauses(
          resource.strategy.subresources?.["status"]?.validateUpdate?.(asKubeObject(object), asKubeObject(live)) ?? [],
          theirs.causes,
        );
      });
    });

    describe("tables", () => {
      it("have the columns and cells of the real server", async () => {
        const [resource] = await define(tableDefinition);
        if (resource === undefined) throw new Error("not served");
        await until(
          () => send("POST", pathOf(resource), tableObjects[0] ?? {}),
          ({ status }) => status === 201,
        );
        for (const object of tableObjects.slice(1)) expect((await send("POST", pathOf(resource), object)).status).toBe(201);
        const { body } = await send("GET", pathOf(resource), "", { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" });
        // We word the description of the first column ourselves.
        const [name, ...columns] = body["columnDefinitions"] as JsonObject[];
        expect(resource.table.columns).toEqual([{ ...name, description: resource.table.columns[0]?.description }, ...columns]);
        const rows = body["rows"] as unknown as readonly { readonly cells: readonly unknown[] }[];
        expect(tableObjects.map((object) => resource.table.row(resource.codec.decodeValue(object).object, Date.now()).cells)).toEqual(
          rows.map(({ cells }) => cells),
        );
      });
    });

    describe("definitions", () => {
      it.each(definitions)("%s: accepted or refused as by the real server", async (_what, crd) => {
        const theirs = await send("POST", `${definitionsPath}?dryRun=All`, crd);
        const ours = shaped(crd);
        crdStrategy.prepareForCreate?.(ours, context);
        expectSameCauses(crdStrategy.validate?.(ours) ?? [], theirs.causes);
        if (theirs.status === 201) {
          expect(ours.spec).toMatchObject(theirs.body["spec"] as object);
          expect(ours.status?.storedVersions).toEqual((theirs.body["status"] as JsonObject)["storedVersions"]);
          expect([...new Set(crdStrategy.warningsOnCreate?.(ours))].toSorted()).toEqual([...theirs.warnings].toSorted());
        }
      });

      it.each(updates)("changed to %s: accepted or refused as by the real server", async (_what, before, after) => {
        const created = await send("POST", definitionsPath, before);
        expect(created.status).toBe(201);
        const path = `${definitionsPath}/gadgets.ex.io`;
        const live = await until(
          () => send("GET", path),
          ({ body }) => JSON.stringify(body).includes("InitialNamesAccepted"),
        );
        const metadata = live.body["metadata"] as JsonObject;
        const theirs = await send("PUT", `${path}?dryRun=All`, { ...after, metadata });
        await send("DELETE", path);
        await until(
          () => send("GET", path),
          ({ status }) => status === 404,
        );
        const old = live.body as unknown as CustomResourceDefinition;
        const ours = { ...shaped(after), metadata: old.metadata, status: structuredClone(old.status ?? {}) };
        crdStrategy.prepareForUpdate?.(ours, old, context);
        expectSameCauses(crdStrategy.validateUpdate?.(ours, old) ?? [], theirs.causes);
        if (theirs.status === 200) {
          expect(ours.status.storedVersions).toEqual((theirs.body["status"] as JsonObject)["storedVersions"]);
          expect(crdStrategy.warningsOnUpdate?.(ours, old)).toEqual(theirs.warnings);
        }
      });
    });
  },
);

const context = { now: 0, user: { name: "admin", groups: [], extra: {} }, dryRun: false };

const pathOf = ({ kind: { group, version, plural, scope } }: Resource): string =>
  `/apis/${group}/${version}/${scope === "Namespaced" ? "namespaces/default/" : ""}${plural}`;
const asKubeObject = (object: JsonObject): KubeObject => object as unknown as KubeObject;

interface Outcome {
  readonly refusal?: string;
  readonly object: JsonObject;
  readonly causes: readonly FieldError[];
  readonly warnings: readonly string[];
}

/** The result of our codec and strategy for the body of a create request. */
function createdBy(
  { codec, strategy, kind, deprecation, conversion }: Resource,
  body: string,
  mediaType: "application/json" | "application/yaml",
): Outcome {
  const none = { object: {}, causes: [], warnings: [] };
  try {
    const { object, problems } = codec.decodeBody(body, mediaType);
    if (Object.hasOwn(kind.subresources, "status")) delete object["status"];
    const warnings = [
      ...(deprecation === undefined ? [] : [deprecation]),
      ...problems.flatMap((problem) => problem.split("\n  ")).filter((problem) => problem !== "yaml: unmarshal errors:"),
    ];
    const ofType = strategy.validateType?.(asKubeObject(object)) ?? [];
    const causes = ofType.length > 0 ? ofType : (strategy.validate?.(asKubeObject(object)) ?? []);
    const read = conversion === undefined ? object : conversion.fromStored(conversion.toStored(object));
    return {
      object: read,
      causes,
      warnings: [...warnings, ...(causes.length > 0 ? [] : (strategy.warningsOnCreate?.(asKubeObject(object)) ?? []))],
    };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return {
      ...none,
      refusal: error.bare
        ? error.message
        : `${kind.kind} in version "${kind.version}" cannot be handled as a ${kind.kind}: ${error.message}`,
    };
  }
}

function expectSame(ours: Outcome, theirs: Answer): void {
  expect(ours.refusal).toBe(theirs.status === 400 ? theirs.body["message"] : undefined);
  expectSameCauses(
    ours.causes,
    theirs.causes.filter(({ field = "" }) => !field.startsWith("metadata")),
  );
  // The real server also warns about bodies that it refuses; ours does not.
  if (theirs.status !== 400) expect(ours.warnings).toEqual(theirs.warnings);
  if (theirs.status !== 201) return;
  const given = (metadata: JsonObject): JsonObject =>
    Object.fromEntries(
      ["name", "labels", "annotations", "finalizers"].flatMap((name) => (metadata[name] === undefined ? [] : [[name, metadata[name]]])),
    );
  const plain = ({ metadata, ...rest }: JsonObject): JsonObject => ({ ...rest, metadata: isJsonObject(metadata) ? given(metadata) : {} });
  const [our, their] = [plain(ours.object), plain(theirs.body)];
  if (!jsonEqual(our, their)) expect(our).toEqual(their);
}

/** The real server returns the fields of a schema and of an object in any order, and here other code checks the name. */
function expectSameCauses(ours: readonly FieldError[], theirs: readonly StatusCause[]): void {
  const text = ({ field, message, reason }: StatusCause): string => `${field}: ${reason}: ${message}`;
  const ofName = (cause: StatusCause): boolean => cause.field === "metadata.name" && cause.message?.includes("RFC 1123") === true;
  expect(ours.map(fieldErrorCause).map(text).toSorted()).toEqual(
    theirs
      .filter((cause) => !ofName(cause))
      .map(text)
      .toSorted(),
  );
  const isInAnyOrder = ({ field = "" }: StatusCause): boolean =>
    field.includes("openAPIV3Schema.") ||
    !/^(?:spec\.(?:version|names|group|scope|conversion|additional|selectable|subresources|preserve)|status\.storedVersions|metadata)/.test(
      field,
    );
  if (!theirs.some(isInAnyOrder)) expect(ours.map(fieldErrorCause).map(text)).toEqual(theirs.filter((cause) => !ofName(cause)).map(text));
}

/** The definition as a decoder returns it. */
function shaped(crd: JsonObject): CustomResourceDefinition {
  const { spec = {}, ...rest } = structuredClone(crd) as { readonly spec?: JsonObject };
  const ours = {
    ...rest,
    spec: { group: "", scope: "", ...spec, names: { plural: "", kind: "", ...(spec["names"] as JsonObject | undefined) } },
  } as unknown as CustomResourceDefinition;
  setCustomResourceDefinitionDefaults(ours);
  return ours;
}

async function until<T>(ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    const answer = await ask();
    if (holds(answer)) return answer;
    if (attempt > 300) throw new Error(`still ${JSON.stringify(answer)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
