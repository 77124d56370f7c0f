/**
 * Protobuf requests to a server, as client-go's typed clients send them. A protobuf request has the effect of the same
 * JSON request, a response has the content of the JSON response and exactly the bytes that Go writes, and errors have
 * the same words. Every expectation holds for our server and for the real one.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import type { NodeTransport } from "@drover/client";
import { decodeJson, encodeJson, isJsonObject, parseGroupVersion } from "@drover/machinery";
import type { GroupVersionKind, HttpHeaders, JsonObject, JsonValue } from "@drover/machinery";
import {
  decodeEnvelope,
  decodeWatchMessages,
  encodeEnvelope,
  protobufMediaType,
  ProtobufReader,
  protobufWatchMediaType,
} from "@drover/machinery/protobuf";
import type { WatchMessage } from "@drover/machinery/protobuf";
import { recordingLog } from "@drover/machinery/testing";
import { parseYaml } from "@drover/yaml";
import { nodeRuntime } from "drover";
import { builtInCodec } from "../../packages/apiserver/src/codec/built-in-codec.ts";
import { encodeObject } from "../../packages/apiserver/src/codec/object-message.ts";
import { discoveryMessage } from "../../packages/apiserver/src/discovery/discovery-message.ts";
import { MessagePlan, MessageReader, structShape } from "@drover/api/shapes";
import { fullObjects } from "./full-objects.ts";
import { bodyOf, kindOf, pathOf } from "./kind-requests.ts";
import { minimalObjects } from "./minimal-objects.ts";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const { clock } = nodeRuntime();
const core = "/api/v1/namespaces/default";
const widgets = "/apis/protobuf.example.com/v1/namespaces/default/widgets";

const inProtobuf: HttpHeaders = { accept: protobufMediaType };
const asClientGo: HttpHeaders = { accept: `${protobufMediaType},application/json` };
const sentAs = (accept: HttpHeaders): HttpHeaders => ({ "content-type": protobufMediaType, ...accept });
const as = (kind: string, version = "v1"): HttpHeaders => ({ accept: `${protobufMediaType};as=${kind};g=meta.k8s.io;v=${version}` });

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** The object in protobuf bytes, as JSON. */
function objectIn(bytes: Uint8Array): JsonObject {
  const { apiVersion, kind, message } = decodeEnvelope(bytes);
  if (kind !== "Status")
    return builtInCodec({ ...parseGroupVersion(apiVersion), kind }, () => undefined).messages?.decodeBody(bytes).object ?? {};
  return new MessageReader().read(message, 0, message.length, MessagePlan.of(structShape("meta/v1.Status")), { kind, apiVersion });
}

/** What a client that decodes JSON into its type would send. */
function messageOf(kind: GroupVersionKind, body: JsonObject): Uint8Array {
  return encodeObject(builtInCodec(kind, () => undefined).decodeBody(encodeJson(body), "application/json").object);
}

const enveloped = (apiVersion: string, kind: string, ...message: number[]): Uint8Array =>
  encodeEnvelope({ apiVersion, kind, message: Uint8Array.from(message) });

/** Without fields that differ for every object, and without the kind of claims in a StatefulSet, which protobuf cannot carry. */
const masked = (value: JsonValue): unknown =>
  JSON.parse(
    encodeJson(withoutClaimKinds(value))
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, "<uid>")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<time>")
      .replaceAll(/"10\.[\d.]+"/g, '"<address>"')
      .replaceAll(/"(nodePort|healthCheckNodePort)":\d+/g, '"$1":0'),
  );

function withoutClaimKinds(value: JsonValue): JsonValue {
  const { kind, spec } = value as JsonObject;
  if (kind !== "StatefulSet" || !isJsonObject(spec)) return value;
  const volumeClaimTemplates = ((spec["volumeClaimTemplates"] ?? []) as JsonObject[]).map(
    ({ apiVersion: _apiVersion, kind: _kind, ...claim }) => claim,
  );
  return { ...(value as JsonObject), spec: { ...spec, volumeClaimTemplates } };
}

describeOnServers("protobuf requests", ({ missing, start }) => {
  let server: SuiteServer | undefined;
  let transport: NodeTransport;

  const ask = async (method: string, path: string, headers: HttpHeaders, body?: Uint8Array | string): Promise<Reply> => {
    const answer = await transport({ method, path, headers, ...(body === undefined ? {} : { body }) });
    const parts: Uint8Array[] = [];
    if (typeof answer.body === "string" || answer.body instanceof Uint8Array) parts.push(Buffer.from(answer.body));
    else for await (const part of answer.body) parts.push(Buffer.from(part));
    return { status: answer.status, type: String(answer.headers["content-type"]), bytes: Buffer.concat(parts) };
  };
  const asText = ({ bytes }: Reply): string => Buffer.from(bytes).toString("utf8");
  const asJson = (reply: Reply): JsonObject => decodeJson(asText(reply)) as JsonObject;
  const refusal = async (path: string, body: Uint8Array | string): Promise<JsonValue> => {
    const reply = await ask("POST", path, { "content-type": protobufMediaType }, body);
    return [reply.status, asJson(reply)["message"] ?? ""];
  };
  const watched = async (path: string, headers: HttpHeaders): Promise<readonly WatchMessage[]> => {
    const reply = await ask("GET", path, headers);
    expect([reply.status, reply.type], path).toEqual([200, protobufWatchMediaType]);
    const { messages, rest } = decodeWatchMessages(reply.bytes);
    expect(rest).toHaveLength(0);
    return messages;
  };

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = server.transport({ clock, log: recordingLog(clock) });
    await ask(
      "POST",
      pathOf(CustomResourceDefinition),
      { "content-type": "application/json" },
      JSON.stringify({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "widgets.protobuf.example.com" },
        spec: {
          group: "protobuf.example.com",
          scope: "Namespaced",
          names: { plural: "widgets", kind: "Widget" },
          versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
        },
      }),
    );
    await ask(
      "POST",
      `${core}/configmaps`,
      sentAs(inProtobuf),
      messageOf(kindOf("/v1/ConfigMap"), {
        metadata: { name: "protobuf-a", labels: { suite: "protobuf" } },
        data: { b: "1", a: "ä" },
      }),
    );
    const widget = JSON.stringify({ apiVersion: "protobuf.example.com/v1", kind: "Widget", metadata: { name: "w" } });
    await vi.waitFor(
      async () => {
        expect((await ask("POST", widgets, { "content-type": "application/json" }, widget)).status).toBeOneOf([201, 409]);
      },
      { timeout: 20_000, interval: 100 },
    );
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    await ask("DELETE", `${core}/configmaps/protobuf-a`, sentAs(inProtobuf), enveloped("v1", "DeleteOptions"));
    await ask("DELETE", `${pathOf(CustomResourceDefinition)}/widgets.protobuf.example.com`, inProtobuf);
    transport.close();
    await server.stop();
  }, 30_000);
  beforeEach((ctx) => {
    if (server === undefined) ctx.skip(missing);
  });

  describe("objects of every kind", () => {
    const all = [
      ...Object.entries(minimalObjects).map(([key, object]) => ({ key, title: "as little as there can be", object })),
      ...fullObjects.map(({ kind, title, object }) => ({ key: kind, title, object })),
    ];
    it.each(all)("are created from protobuf as from JSON, and returned as protobuf: $key, $title", async ({ key, object }) => {
      const kind = kindOf(key);
      const body = bodyOf(kind, object, "protobuf-dry");
      const path = `${pathOf(kind)}?dryRun=All&fieldManager=protobuf`;
      const [text, binary] = [
        await ask("POST", path, { "content-type": "application/json" }, JSON.stringify(body)),
        await ask("POST", path, sentAs(inProtobuf), messageOf(kind, body)),
      ];
      expect([binary.status, binary.type]).toEqual([text.status, protobufMediaType]);
      expect(masked(objectIn(binary.bytes))).toEqual(masked(asJson(text)));
    });

    it.each(Object.entries(minimalObjects))("are returned with the bytes that Go writes for the JSON form: %s", async (key, object) => {
      const kind = kindOf(key);
      const made = await ask("POST", pathOf(kind), sentAs(inProtobuf), messageOf(kind, bodyOf(kind, object, "protobuf-made")));
      expect(made.status, asText(made)).toBe(201);
      const { name } = objectIn(made.bytes)["metadata"] as { readonly name: string };
      const path = `${pathOf(kind)}/${name}`;
      // The server updates some objects itself, so both forms are read until nothing changed in between.
      for (let attempt = 1; ; attempt++) {
        const [before, binary, after] = [
          await ask("GET", path, { accept: "application/json" }),
          await ask("GET", path, asClientGo),
          await ask("GET", path, { accept: "application/json" }),
        ];
        if (asText(before) !== asText(after) && attempt < 10) continue;
        expect(binary.type).toBe(protobufMediaType);
        expect(objectIn(binary.bytes)).toEqual(withoutClaimKinds(asJson(after)));
        expect(Buffer.from(encodeObject(asJson(after))).toString("base64")).toBe(Buffer.from(binary.bytes).toString("base64"));
        break;
      }
      const gone = await ask(
        "DELETE",
        path,
        sentAs(inProtobuf),
        encodeObject({ apiVersion: "meta.k8s.io/v1", kind: "DeleteOptions", gracePeriodSeconds: 0, propagationPolicy: "Background" }),
      );
      expect(gone.status).toBe(200);
      expect(decodeEnvelope(gone.bytes).kind).toBeOneOf([kind.kind, "Status"]);
    });
  });

  describe("answers", () => {
    const one = `${core}/configmaps/protobuf-a`;
    const some = `${core}/configmaps?labelSelector=suite%3Dprotobuf`;
    const types = async (path: string, ...accepts: string[]): Promise<readonly string[]> =>
      Promise.all(accepts.map(async (accept) => (await ask("GET", path, { accept })).type));

    it("come in the form with the highest preference", async () => {
      expect(
        await types(
          one,
          protobufMediaType,
          `${protobufMediaType},application/json`,
          `application/json,${protobufMediaType}`,
          `application/json;q=0.5,${protobufMediaType};q=0.9`,
          "*/*",
          "application/*",
        ),
      ).toEqual([protobufMediaType, protobufMediaType, "application/json", protobufMediaType, "application/json", "application/json"]);
    });

    it("of lists contain the messages of their objects", async () => {
      const { metadata, items } = asJson(await ask("GET", some, {})) as unknown as {
        readonly metadata: { readonly resourceVersion: string };
        readonly items: readonly JsonObject[];
      };
      const reply = await ask("GET", some, inProtobuf);
      const item = Buffer.from(decodeEnvelope((await ask("GET", one, inProtobuf)).bytes).message);
      expect(decodeEnvelope(reply.bytes)).toMatchObject({ apiVersion: "v1", kind: "ConfigMapList" });
      expect(items).toHaveLength(1);
      expect(Buffer.from(reply.bytes).includes(item)).toBe(true);
      expect(Buffer.from(reply.bytes).includes(metadata.resourceVersion)).toBe(true);
    });

    it("with an error are protobuf Statuses, whatever the resource", async () => {
      for (const path of [`${core}/configmaps/nobody`, `${widgets}/nobody`, "/apis/apps/v2"]) {
        const [binary, text] = [await ask("GET", path, asClientGo), await ask("GET", path, {})];
        expect([binary.status, binary.type], path).toEqual([404, protobufMediaType]);
        expect(objectIn(binary.bytes)).toEqual(asJson(text));
      }
    });

    it("with metadata only are protobuf for custom resources too, in both versions", async () => {
      for (const path of [one, `${widgets}/w`]) {
        const { metadata } = asJson(await ask("GET", path, {}));
        for (const version of ["v1", "v1beta1"]) {
          const reply = await ask("GET", path, as("PartialObjectMetadata", version));
          const { apiVersion, kind, message } = decodeEnvelope(reply.bytes);
          expect([reply.type, apiVersion, kind]).toEqual([protobufMediaType, `meta.k8s.io/${version}`, "PartialObjectMetadata"]);
          // An object with only an ObjectMeta has the bytes of a ConfigMap without data.
          expect(objectIn(encodeEnvelope({ apiVersion: "v1", kind: "ConfigMap", message }))["metadata"]).toEqual(metadata);
        }
      }
      for (const version of ["v1", "v1beta1"]) {
        const [list, single] = [
          await ask("GET", some, as("PartialObjectMetadataList", version)),
          await ask("GET", one, as("PartialObjectMetadata", version)),
        ];
        const { apiVersion, kind, message } = decodeEnvelope(list.bytes);
        expect([apiVersion, kind]).toEqual([`meta.k8s.io/${version}`, "PartialObjectMetadataList"]);
        const fields = new Map<number, Buffer>();
        for (const reader = new ProtobufReader(message); reader.next(kind);) fields.set(reader.field, Buffer.from(reader.bytes()));
        // The older version has these fields in the opposite order.
        expect(fields.get(version === "v1" ? 2 : 1)).toEqual(Buffer.from(decodeEnvelope(single.bytes).message));
      }
    });

    it("are not protobuf for tables and custom objects", async () => {
      const refused = async (path: string, headers: HttpHeaders): Promise<JsonValue> => {
        const reply = await ask("GET", path, headers);
        const message =
          reply.type === protobufMediaType ? objectIn(reply.bytes)["message"] : (parseYaml(asText(reply)) as JsonObject)["message"];
        return [reply.status, reply.type, message ?? ""];
      };
      const forms = "only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf";
      expect(await refused(some, as("Table"))).toEqual([406, "application/json", forms]);
      expect(await refused(`${some}&watch=1&timeoutSeconds=1`, as("Table"))).toEqual([406, "application/json", forms]);
      expect(await refused(`${some}&watch=1&timeoutSeconds=1`, { accept: "application/yaml" })).toEqual([
        406,
        "application/yaml",
        expect.stringMatching(/;stream=watch$/) as string,
      ]);
      expect(await refused(`${widgets}/w`, inProtobuf)).toEqual([406, protobufMediaType, forms]);
      expect(await types(`${widgets}/w`, `${protobufMediaType},application/json`)).toEqual(["application/json"]);
    });

    it("to watches are framed events", async () => {
      const initial = "watch=1&timeoutSeconds=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
      const [added, bookmark] = await watched(`${some}&${initial}`, asClientGo);
      expect([added?.type, bookmark?.type]).toEqual(["ADDED", "BOOKMARK"]);
      expect(objectIn(added?.object ?? new Uint8Array())).toEqual(asJson(await ask("GET", one, {})));
      expect(objectIn(bookmark?.object ?? new Uint8Array())["metadata"]).toMatchObject({
        annotations: { "k8s.io/initial-events-end": "true" },
      });
      const partial = await watched(`${widgets}?${initial}`, as("PartialObjectMetadata"));
      expect(partial.map(({ type, object }) => [type, decodeEnvelope(object).kind])).toEqual([
        ["ADDED", "PartialObjectMetadata"],
        ["BOOKMARK", "PartialObjectMetadata"],
      ]);
      await server?.compact();
      const [error] = await watched(`${core}/secrets?watch=1&timeoutSeconds=1&resourceVersion=1`, inProtobuf);
      expect([error?.type, objectIn(error?.object ?? new Uint8Array())["reason"]]).toEqual(["ERROR", "Expired"]);
    });
  });

  describe("discovery", () => {
    const aggregated = (mediaType: string): string => `${mediaType};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`;
    const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");

    it.each([
      "/api",
      "/apis",
      "/api/v1",
      "/apis/apps",
      "/apis/apps/v1",
      "/apis/batch/v1",
      "/apis/protobuf.example.com",
      "/apis/protobuf.example.com/v1",
    ])("of %s has the bytes that Go writes for the JSON form", async (path) => {
      const [binary, first, text] = [
        await ask("GET", path, inProtobuf),
        await ask("GET", path, asClientGo),
        await ask("GET", path, { accept: "application/json" }),
      ];
      expect([binary.status, binary.type, first.type]).toEqual([200, protobufMediaType, protobufMediaType]);
      expect(base64(binary.bytes)).toBe(base64(discoveryMessage(asJson(text))));
    });

    it.each(["/api", "/apis"])("of everything below %s in one document has the bytes that Go writes", async (path) => {
      const accept = `${aggregated(protobufMediaType)},${aggregated("application/json")},application/json`;
      const [binary, text] = [await ask("GET", path, { accept }), await ask("GET", path, { accept: aggregated("application/json") })];
      expect([binary.status, binary.type]).toEqual([200, aggregated(protobufMediaType)]);
      expect(base64(binary.bytes)).toBe(base64(discoveryMessage(asJson(text))));
    });

    it("falls back to another accepted form, and answers 406 when the client accepts none", async () => {
      const answer = async (path: string, accept: string): Promise<string> => {
        const { status, type } = await ask("GET", path, { accept });
        return `${status} ${type}`;
      };
      const older = aggregated(protobufMediaType).replace("v2", "v2beta1");
      expect([
        await answer("/apis", older),
        await answer("/apis", `${older},application/json`),
        await answer("/apis", `${protobufMediaType};stream=watch`),
        await answer("/apis", "application/json;stream=watch"),
      ]).toEqual(["406 application/json", "200 application/json", `200 ${protobufMediaType}`, "200 application/json"]);
      expect([
        await answer("/apis/apps/v1", as("Table")["accept"] as string),
        await answer("/apis/apps/v9", inProtobuf["accept"] as string),
      ]).toEqual(["406 application/json", `404 ${protobufMediaType}`]);
      expect([
        await answer("/openapi/v2", protobufMediaType),
        await answer("/openapi/v2", `${protobufMediaType},application/json`),
        await answer("/openapi/v3/apis/apps/v1", protobufMediaType),
      ]).toEqual(["406 undefined", "200 application/json", "406 undefined"]);
    });
  });

  describe("bodies", () => {
    const path = `${core}/configmaps?dryRun=All`;
    const named: readonly number[] = [0x0a, 3, 0x0a, 1, 0x78];

    it("may have unknown fields, even with strict field validation", async () => {
      expect(
        (
          await ask(
            "POST",
            `${path}&fieldValidation=Strict`,
            sentAs(inProtobuf),
            enveloped("v1", "ConfigMap", ...named, 0x9a, 0x06, 1, 0x78),
          )
        ).status,
      ).toBe(201);
    });

    it("need no apiVersion and kind", async () => {
      for (const [apiVersion, kind] of [
        ["", ""],
        ["a/b/c", "ConfigMap"],
        ["v1", ""],
      ] as const)
        expect((await ask("POST", path, sentAs(inProtobuf), enveloped(apiVersion, kind, ...named))).status, apiVersion).toBe(201);
    });

    it("update objects, and carry options of deletions", async () => {
      const changed = await ask(
        "PUT",
        `${core}/configmaps/protobuf-a`,
        sentAs(inProtobuf),
        messageOf(kindOf("/v1/ConfigMap"), { metadata: { name: "protobuf-a", labels: { suite: "protobuf" } }, data: { c: "3" } }),
      );
      expect([changed.status, objectIn(changed.bytes)["data"]]).toEqual([200, { c: "3" }]);
      const patched = await ask(
        "PATCH",
        `${core}/configmaps/protobuf-a`,
        { "content-type": "application/merge-patch+json", ...inProtobuf },
        '{"data":{"d":"4"}}',
      );
      expect([patched.status, objectIn(patched.bytes)["data"]]).toEqual([200, { c: "3", d: "4" }]);
      expect((await ask("PATCH", `${core}/configmaps/protobuf-a`, sentAs(inProtobuf), enveloped("v1", "ConfigMap"))).status).toBe(415);
      const wrong = await ask(
        "DELETE",
        `${core}/configmaps/protobuf-a`,
        sentAs({}),
        encodeObject({ apiVersion: "meta.k8s.io/v1", kind: "DeleteOptions", preconditions: { uid: "other" } }),
      );
      expect([wrong.status, asJson(wrong)["reason"]]).toEqual([409, "Conflict"]);
      const broken = await ask("DELETE", `${core}/configmaps/protobuf-a`, sentAs({}), Uint8Array.of(1));
      expect([broken.status, asJson(broken)["message"]]).toEqual([
        400,
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]",
      ]);
    });

    it("with an empty list of schemas lose it when they are stored", async () => {
      const schema = { type: "object", properties: { a: { type: "object", items: [] } } };
      const { status, bytes } = await ask(
        "POST",
        `${pathOf(CustomResourceDefinition)}?dryRun=All`,
        { "content-type": "application/json", ...inProtobuf },
        JSON.stringify({
          apiVersion: "apiextensions.k8s.io/v1",
          kind: "CustomResourceDefinition",
          metadata: { name: "empties.protobuf.example.com" },
          spec: {
            group: "protobuf.example.com",
            scope: "Namespaced",
            names: { plural: "empties", kind: "Empty" },
            versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
          },
        }),
      );
      expect([status, objectIn(bytes)]).toMatchObject([
        201,
        { spec: { versions: [{ schema: { openAPIV3Schema: { properties: { a: { type: "object" } } } } }] } },
      ]);
      // Field 24 of a schema, empty.
      expect(Buffer.from(bytes).includes(Buffer.of(0xc2, 1, 0))).toBe(false);
    });

    it("of reviews and tokens are answered in protobuf", async () => {
      const review = await ask(
        "POST",
        "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
        sentAs(asClientGo),
        encodeObject({
          apiVersion: "authorization.k8s.io/v1",
          kind: "SelfSubjectAccessReview",
          spec: { resourceAttributes: { verb: "get", resource: "pods" } },
        }),
      );
      expect(objectIn(review.bytes)).toMatchObject({
        kind: "SelfSubjectAccessReview",
        spec: { resourceAttributes: { verb: "get", resource: "pods" } },
        status: { allowed: true },
      });
      await ask(
        "POST",
        `${core}/serviceaccounts`,
        sentAs(inProtobuf),
        messageOf(kindOf("/v1/ServiceAccount"), { metadata: { name: "protobuf-robot" } }),
      );
      const token = await ask(
        "POST",
        `${core}/serviceaccounts/protobuf-robot/token`,
        sentAs(asClientGo),
        encodeObject({ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds: 600 } }),
      );
      await ask("DELETE", `${core}/serviceaccounts/protobuf-robot`, inProtobuf);
      expect([token.status, objectIn(token.bytes)]).toMatchObject([
        201,
        {
          kind: "TokenRequest",
          spec: { expirationSeconds: 600 },
          status: { token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string },
        },
      ]);
    });

    it.each([
      ["nothing", new Uint8Array(), "the object provided is unrecognized (must be of type ConfigMap): empty data (<empty>)"],
      [
        "JSON",
        '{"a":1}',
        'the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({"a":1})',
      ],
      [
        "a prefix",
        Uint8Array.of(0x6b, 0x38, 0x73, 0),
        "the object provided is unrecognized (must be of type ConfigMap): empty body (6b387300)",
      ],
      [
        "half an envelope",
        Uint8Array.of(0x6b, 0x38, 0x73, 0, 0x0a, 9),
        "the object provided is unrecognized (must be of type ConfigMap): unexpected EOF (6b3873000a09)",
      ],
      [
        "a number where metadata belong",
        enveloped("v1", "ConfigMap", 8, 1),
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: wrong wireType = 0 for field ObjectMeta',
      ],
      [
        "the end of a group",
        enveloped("v1", "ConfigMap", 0x0c),
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: proto: ConfigMap: wiretype end group for non-group',
      ],
      [
        "another kind",
        enveloped("v1", "Secret"),
        'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
      ],
      [
        "a kind nobody knows",
        enveloped("v2", "ConfigMap"),
        'ConfigMap in version "v2" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v2" in scheme "pkg/runtime/scheme.go:111"',
      ],
    ])("that are %s are refused with the same message", async (_what, body, message) => {
      expect(await refusal(path, body)).toEqual([400, message]);
    });
  });
});
