import { describe, expect, it } from "vitest";
import { ProtobufWriter } from "@drover/machinery/protobuf";
import { deepFreeze, fieldTree } from "@drover/machinery";
import type { DeepReadonly, JsonObject } from "@drover/machinery";
import { MessagePlan } from "./message-plan.ts";
import { MessageReader } from "./message-reader.ts";
import type { Shape, StructShape } from "./shape.ts";
import { shapeTables } from "./tables/shape-tables.ts";
import { structShape } from "./typed-shape.ts";

const read = (type: string, write: (writer: ProtobufWriter) => void, fields?: readonly string[]): JsonObject => {
  const writer = new ProtobufWriter();
  write(writer);
  const bytes = writer.finish();
  const plan = MessagePlan.of(structShape(type), fields === undefined ? {} : { wanted: fieldTree(fields) });
  return new MessageReader().read(bytes, 0, bytes.length, plan);
};

/** Written by Go in this order; random objects of all kinds are compared in packages/apiserver/src/codec/write-message.test.ts. */
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

  it("reads packed numbers as a list", () => {
    // PodSecurityContext.supplementalGroups is field 4.
    expect(read("core/v1.PodSecurityContext", (message) => message.message(4, (inner) => inner.raw(Uint8Array.of(1, 2, 0x80, 1))))).toEqual(
      {
        supplementalGroups: [1, 2, 128],
      },
    );
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
    const { spec }: { readonly spec?: unknown } = read("apps/v1.StatefulSet", (writer) => {
      writer.message(2, (inner) => inner.message(4, (template) => template.message(1, (metadata) => metadata.string(1, "data"))));
    });
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
    expect(read("core/v1.Pod", pod, ["metadata.name", "spec.nodeName", "spec.containers.image"])).toEqual({
      metadata: { name: "web" },
      spec: { containers: [{ image: "nginx" }], nodeName: "node-1" },
    });
    expect(read("core/v1.Pod", pod, ["status"])).toEqual({ status: { phase: "Running" } });
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
