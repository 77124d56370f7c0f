import { describe, expect, it } from "vitest";
import { ProtobufWriter } from "@drover/machinery/protobuf";
import { deepFreeze, fieldTree } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import { MessagePlan } from "./message-plan.ts";
import type { MessagePlanOptions } from "./message-plan.ts";
import { MessageReader } from "./message-reader.ts";
import type { Shape, StructShape } from "./shape.ts";
import { shapeTables } from "./tables/shape-tables.ts";
import { structShape } from "./typed-shape.ts";

const read = (
  type: string,
  write: (writer: ProtobufWriter) => void,
  { fields, ...options }: MessagePlanOptions & { readonly fields?: readonly string[] } = {},
): JsonObject => {
  const writer = new ProtobufWriter();
  write(writer);
  const bytes = writer.finish();
  const plan = MessagePlan.of(structShape(type), fields === undefined ? options : { wanted: fieldTree(fields) });
  return new MessageReader().read(bytes, 0, bytes.length, plan);
};

/** Written by Go in this order; random objects of all kinds are compared in packages/apiserver/src/codec/message-body-reader.test.ts. */
const port = (writer: ProtobufWriter): void => {
  writer.string(1, "http");
  writer.int64(2, 0);
  writer.int64(3, 8080);
  writer.string(4, "TCP");
  writer.string(5, "");
};

describe("MessageReader", () => {
  it("omits zero values where Go does", () => {
    expect(read("core/v1.ContainerPort", port)).toEqual({ name: "http", containerPort: 8080, protocol: "TCP" });
  });

  it("adds the fields that Go always writes, in Go's order, to a message without them", () => {
    expect(JSON.stringify(read("core/v1.Pod", (writer) => writer.message(3, (status) => status.string(1, "Running"))))).toBe(
      '{"metadata":{},"spec":{"containers":null},"status":{"phase":"Running"}}',
    );
  });

  it("orders fields as Go does when they arrive in another order", () => {
    const text = JSON.stringify(
      read("core/v1.ContainerPort", (writer) => {
        writer.string(4, "UDP");
        writer.int64(3, 53);
        writer.string(1, "dns");
      }),
    );
    expect(text).toBe('{"name":"dns","containerPort":53,"protocol":"UDP"}');
  });

  it("lets a later value replace an earlier one, also by zero", () => {
    expect(
      read("core/v1.ContainerPort", (writer) => {
        port(writer);
        writer.string(1, "");
        writer.int64(3, 1);
      }),
    ).toEqual({ containerPort: 1, protocol: "TCP" });
  });

  it("merges messages that are repeated, and appends to lists and maps that go on", () => {
    const metadata = (labels: readonly string[], owner: string) => (writer: ProtobufWriter) => {
      writer.string(1, owner);
      for (const label of labels)
        writer.message(11, (entry) => {
          entry.string(1, label);
          entry.string(2, owner);
        });
      writer.string(14, owner);
    };
    expect(
      read("core/v1.ConfigMap", (writer) => {
        writer.message(1, metadata(["x", "y"], "a"));
        writer.message(1, metadata(["y", "z"], "b"));
      }),
    ).toEqual({ metadata: { name: "b", labels: { x: "a", y: "b", z: "b" }, finalizers: ["a", "b"] } });
  });

  it("reads an entry named __proto__ as an ordinary one", () => {
    const { data } = read("core/v1.ConfigMap", (writer) => {
      writer.message(1, () => undefined);
      writer.message(2, (entry) => {
        entry.string(1, "__proto__");
        entry.string(2, "x");
      });
    });
    expect(Object.keys(data as object)).toEqual(["__proto__"]);
  });

  it("reads packed and other numbers as a list", () => {
    // PodSecurityContext.supplementalGroups is field 4.
    const groups = (write: (context: ProtobufWriter) => void): JsonObject => read("core/v1.PodSecurityContext", write);
    expect(groups((context) => context.bytes(4, Uint8Array.of(1, 2, 0x80, 1)))).toEqual({ supplementalGroups: [1, 2, 128] });
    expect(groups((context) => [1, 128].forEach((group) => context.int64(4, group)))).toEqual({ supplementalGroups: [1, 128] });
    expect(groups((context) => context.bytes(4, new Uint8Array()))).toEqual({});
  });

  it("reads a required list without items as null", () => {
    // It was absent: the field had occurred, with no packed numbers.
    expect(
      read("batch/v1.PodFailurePolicyOnExitCodesRequirement", (writer) => {
        writer.string(2, "In");
        writer.bytes(3, new Uint8Array());
      }),
    ).toEqual({ operator: "In", values: null });
  });

  it("sorts maps by the bytes of their keys, as Go does", () => {
    const data = (...keys: readonly string[]): string[] => {
      const { data: map } = read("core/v1.ConfigMap", (writer) => {
        for (const key of keys)
          if (key === "|") writer.message(1, () => undefined);
          else writer.message(2, (entry) => (entry.string(1, key), entry.string(2, `${key}!`)));
      });
      expect(map).toEqual(Object.fromEntries(keys.filter((key) => key !== "|").map((key) => [key, `${key}!`])));
      return Object.keys(map as JsonObject);
    };
    expect(data("b", "a", "c")).toEqual(["a", "b", "c"]);
    expect(data("a", "c", "|", "b", "|", "a")).toEqual(["a", "b", "c"]);
    expect(data("\ue000", "\u{10000}", "é")).toEqual(["é", "\ue000", "\u{10000}"]);
  });

  it("reads an entry without a value as Go's zero value", () => {
    const named = (writer: ProtobufWriter): void => writer.string(1, "k");
    expect(read("core/v1.ConfigMap", (writer) => writer.message(2, named))["data"]).toEqual({ k: "" });
    expect(read("core/v1.Secret", (writer) => writer.message(2, named))["data"]).toEqual({ k: "" });
    // It was null for types with a format of their own.
    expect(read("core/v1.ResourceRequirements", (writer) => writer.message(1, named))).toEqual({ limits: { k: "0" } });
    expect(read("core/v1.ConfigMap", (writer) => writer.message(2, (entry) => entry.string(2, "v")))["data"]).toEqual({ "": "v" });
  });

  it("merges a schema that is repeated", () => {
    // It was replaced. JSONSchemaProps: 3 is $ref, 5 the type, 24 items; 1 of the choice is a single schema.
    const items = (...schemas: readonly ((schema: ProtobufWriter) => void)[]): JsonObject =>
      read("apiextensions/v1.JSONSchemaProps", (writer) =>
        writer.message(24, (choice) => schemas.forEach((schema) => choice.message(1, schema))),
      );
    expect(
      items(
        (schema) => schema.string(5, "string"),
        (schema) => schema.string(3, "x"),
        (schema) => schema.string(5, "object"),
      ),
    ).toEqual({ items: { $ref: "x", type: "object" } });
  });

  it("drops the bits of a field number that Go drops", () => {
    const name = (...tag: readonly number[]): JsonObject =>
      read("core/v1.ContainerPort", (writer) => writer.raw(Uint8Array.of(...tag, 1, 0x61)));
    // 2^35 + 10: the number is 2^32 + 1, of which 32 bits are left.
    expect(name(0x8a, 0x80, 0x80, 0x80, 0x80, 1)).toEqual({ name: "a", containerPort: 0 });
    // 2^29 - 1 and 2^29 + 1 are unknown fields.
    expect(name(0xfa, 0xff, 0xff, 0xff, 0x0f)).toEqual({ containerPort: 0 });
    expect(name(0x8a, 0x80, 0x80, 0x80, 0x10)).toEqual({ containerPort: 0 });
    expect(() => name(0x8a, 0x80, 0x80, 0x80, 0x40)).toThrow("proto: ContainerPort: illegal tag -2147483647 (wire type 17179869194)");
  });

  it("keeps 64 bits", () => {
    expect(read("meta/v1.ObjectMeta", (writer) => writer.int64(7, 9_007_199_254_740_993n))).toEqual({ generation: 9_007_199_254_740_993n });
    expect(read("core/v1.ContainerPort", (writer) => writer.int64(3, -1))).toEqual({ containerPort: -1 });
  });

  it("skips unknown fields of every wire type", () => {
    expect(
      read("core/v1.ContainerPort", (writer) => {
        writer.string(900, "x");
        writer.int64(901, 300);
        writer.double(902, 1.5);
        port(writer);
      }),
    ).toEqual({ name: "http", containerPort: 8080, protocol: "TCP" });
  });

  it("sets the type of claims inside a StatefulSet, which protobuf lacks", () => {
    const { spec }: { readonly spec?: unknown } = read(
      "apps/v1.StatefulSet",
      (writer) =>
        writer.message(2, (inner) => inner.message(4, (template) => template.message(1, (metadata) => metadata.string(1, "data")))),
      { setsClaimTypes: true },
    );
    expect(Object.entries((spec as { readonly volumeClaimTemplates: readonly [JsonObject] }).volumeClaimTemplates[0])).toEqual([
      ["kind", "PersistentVolumeClaim"],
      ["apiVersion", "v1"],
      ["metadata", { name: "data" }],
      ["spec", { resources: {} }],
      ["status", {}],
    ]);
  });

  it("knows all kinds inside other kinds", () => {
    const structs = shapeTables.flatMap(({ path, types }) =>
      Object.entries(types)
        .filter(([, source]) => !source.startsWith("="))
        .map(([name]) => [`${path}.${name}`, structShape(`${path}.${name}`)] as const),
    );
    const inner = (shape: Shape): StructShape | undefined =>
      shape.kind === "struct" ? shape : shape.kind === "list" || shape.kind === "map" ? inner(shape.item) : undefined;
    const found = structs.flatMap(([path, struct]) =>
      struct.fields
        .filter(({ shape }) => inner(shape)?.field("apiVersion")?.path.length === 2)
        .filter(() => !path.endsWith("List"))
        .map(({ name }) => `${path} ${name}`),
    );
    // The others are in bodies of requests, which the server does not send.
    expect(found).toEqual([
      "apiextensions/v1.ConversionResponse result",
      "apps/v1.StatefulSetSpec volumeClaimTemplates",
      "policy/v1.Eviction deleteOptions",
    ]);
  });

  it("reads only the fields that are wanted", () => {
    const pod = (writer: ProtobufWriter): void => {
      writer.message(1, (metadata) => {
        metadata.string(1, "web");
        metadata.string(3, "shop");
      });
      writer.message(2, (spec) => {
        spec.message(2, (container) => {
          container.string(1, "main");
          container.string(2, "nginx");
        });
        spec.string(10, "node-1");
      });
      writer.message(3, (status) => status.string(1, "Running"));
    };
    expect(read("core/v1.Pod", pod, { fields: ["metadata.name", "spec.nodeName", "spec.containers.image"] })).toEqual({
      metadata: { name: "web" },
      spec: { containers: [{ image: "nginx" }], nodeName: "node-1" },
    });
    expect(read("core/v1.Pod", pod, { fields: ["status"] })).toEqual({ status: { phase: "Running" } });
  });

  it.each([
    ["a length beyond the end", Uint8Array.of(0x0a, 5, 1), "unexpected EOF"],
    [
      "a negative length",
      Uint8Array.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1),
      "proto: negative length found during unmarshaling",
    ],
    ["an endless number", Uint8Array.of(0x18, ...Array.from({ length: 11 }, () => 0x80)), "proto: integer overflow"],
    ["field 0", Uint8Array.of(0x02, 0), "proto: ContainerPort: illegal tag 0 (wire type 2)"],
    ["the end of a group", Uint8Array.of(0x0c), "proto: ContainerPort: wiretype end group for non-group"],
    ["the end of a group in two bytes", Uint8Array.of(0x84, 1), "proto: ContainerPort: wiretype end group for non-group"],
    ["field 0 in two bytes", Uint8Array.of(0x82, 0), "proto: ContainerPort: illegal tag 0 (wire type 2)"],
    ["a number as a text", Uint8Array.of(0x08, 1), "proto: wrong wireType = 0 for field Name"],
    ["an unknown wire type", Uint8Array.of(0xff, 0x7f), "proto: illegal wireType 7"],
  ])("refuses %s in Go's words", (_, bytes, message) => {
    expect(() => new MessageReader().read(bytes, 0, bytes.length, MessagePlan.of(structShape("core/v1.ContainerPort")))).toThrow(message);
  });

  it("refuses an object that repeats its fields many times, which would take quadratic time", () => {
    const repeated = (times: number): JsonObject =>
      read("core/v1.ConfigMap", (writer) => {
        for (let n = 0; n < times; n++) writer.message(1, (metadata) => metadata.string(14, `finalizer-${n}`));
      });
    expect((repeated(300)["metadata"] as JsonObject)["finalizers"]).toHaveLength(300);
    expect(() => repeated(2000)).toThrow("fields occur again more than 1000 times");
  });

  it("refuses values of the wrong wire type and names the field", () => {
    expect(() => read("core/v1.ConfigMap", (writer) => writer.bool(1, true))).toThrow("proto: wrong wireType = 0 for field ObjectMeta");
    expect(() => read("core/v1.ConfigMap", (writer) => writer.string(4, "x"))).toThrow("proto: wrong wireType = 2 for field Immutable");
    expect(() => read("core/v1.PodSpec", (spec) => spec.bool(2, true))).toThrow("proto: wrong wireType = 0 for field Containers");
  });

  it.each([
    // The numbers of `not`, and of a single schema in `items`: the latter overflowed the stack.
    ["schemas in schemas", 500, (writer: ProtobufWriter, inner: (writer: ProtobufWriter) => void) => writer.message(28, inner)],
    [
      "schemas in choices",
      250,
      (writer: ProtobufWriter, inner: (writer: ProtobufWriter) => void) => writer.message(24, (choice) => choice.message(1, inner)),
    ],
  ])("refuses %s that are nested too deep", (_, levels, wrap) => {
    const nested = (depth: number): JsonObject => {
      const write =
        (left: number) =>
        (writer: ProtobufWriter): void =>
          left === 0 ? undefined : wrap(writer, write(left - 1));
      return read("apiextensions/v1.JSONSchemaProps", write(depth));
    };
    expect(Object.keys(nested(levels))).toHaveLength(1);
    for (const depth of [levels + 1, 2 * levels]) expect(() => nested(depth)).toThrow("messages are nested more than 500 levels deep");
  });

  it("appends to a large list in place", () => {
    // Each of a thousand further items copied all of them.
    const bytes = (count: number): Uint8Array => {
      const writer = new ProtobufWriter();
      writer.message(1, (metadata) => {
        for (let n = 0; n < count; n++) metadata.string(14, "");
      });
      for (let n = 0; n < 490; n++) writer.message(1, (metadata) => metadata.string(14, "x"));
      return writer.finish();
    };
    const large = bytes(100_000);
    const plan = MessagePlan.of(structShape("core/v1.ConfigMap"));
    const { metadata } = new MessageReader().read(large, 0, large.length, plan) as { readonly metadata: { readonly finalizers: string[] } };
    expect([metadata.finalizers.length, metadata.finalizers.at(-1)]).toEqual([100_490, "x"]);
  });

  it("can be used again after an error", () => {
    const reader = new MessageReader();
    const plan = MessagePlan.of(structShape("core/v1.ContainerPort"));
    expect(() => reader.read(Uint8Array.of(0x0a, 5), 0, 2, plan)).toThrow("unexpected EOF");
    const bytes = Uint8Array.of(0x0a, 1, 0x61);
    expect(reader.read(bytes, 0, 3, plan)).toEqual({ name: "a", containerPort: 0 });
  });

  describe("that shares parts", () => {
    const podWith = (...specs: readonly ((spec: ProtobufWriter) => void)[]): Uint8Array => {
      const writer = new ProtobufWriter();
      writer.message(1, (metadata) => metadata.string(1, "web"));
      for (const spec of specs) writer.message(2, spec);
      return writer.finish();
    };
    const selecting =
      (...keys: readonly string[]) =>
      (spec: ProtobufWriter): void =>
        keys.forEach((key) => spec.message(7, (entry) => (entry.string(1, key), entry.string(2, "a value of some length"))));
    const sharing = (): ((bytes: Uint8Array) => DeepReadonly<JsonObject>) => {
      const reader = new MessageReader();
      const plan = MessagePlan.of(structShape("core/v1.Pod"), { sharesParts: true });
      return (bytes) => deepFreeze(reader.read(bytes, 0, bytes.length, plan));
    };

    it("returns equal parts of several objects as one value", () => {
      const readNext = sharing();
      const [first, second] = [readNext(podWith(selecting("a"))), readNext(podWith(selecting("a")))];
      expect(second).toEqual(first);
      expect(second["spec"]).toBe(first["spec"]);
      expect(readNext(podWith(selecting("b")))["spec"]).not.toBe(first["spec"]);
    });

    it("sorts the maps of a part that it read before an error", () => {
      const readNext = sharing();
      const bytes = podWith(selecting("b", "a"));
      expect(() => readNext(Uint8Array.of(...bytes, 0x0c))).toThrow("wiretype end group");
      expect(Object.keys((readNext(bytes)["spec"] as { readonly nodeSelector: object }).nodeSelector)).toEqual(["a", "b"]);
    });

    it("does not change a shared part when a message is repeated", () => {
      // A map of the first message was completed in place: it was frozen, or it belonged to other objects as well.
      const readNext = sharing();
      const before = readNext(podWith(selecting("a")));
      const merged = readNext(podWith(selecting("a"), selecting("b", "c")));
      expect(Object.keys((merged["spec"] as { readonly nodeSelector: object }).nodeSelector)).toEqual(["a", "b", "c"]);
      const unread = podWith(selecting("d"), selecting("e"));
      readNext(unread);
      for (const object of [before, readNext(podWith(selecting("a")))])
        expect(Object.keys((object["spec"] as { readonly nodeSelector: object }).nodeSelector)).toEqual(["a"]);
      expect(Object.keys((readNext(podWith(selecting("d")))["spec"] as { readonly nodeSelector: object }).nodeSelector)).toEqual(["d"]);
    });
  });
});
