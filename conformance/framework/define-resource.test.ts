/**
 * A server accepts the definitions of `defineResource`, and zod, our server and the real one judge objects alike: they
 * accept the same ones, and return them alike.
 */
import { CustomResourceDefinition } from "@drover/api/apiextensions/v1";
import { createClient } from "@drover/client";
import type { Client, NodeTransport } from "@drover/client";
import { createRandom, isInvalid, isNotFound } from "@drover/machinery";
import type { KubeObject, Random } from "@drover/machinery";
import { recordingLog } from "@drover/machinery/testing";
import { defineResource, installResource, IncompatibleResourceError, InvalidObjectError } from "@drover/patterns";
import { nodeRuntime } from "drover";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { describeOnServers } from "../servers/servers.ts";
import type { SuiteServer } from "../servers/suite-server.ts";

const port = z.object({
  name: z
    .string()
    .regex(/^[a-z][a-z0-9-]*$/)
    .max(8),
  number: z.int32().min(1).max(65_535),
  protocol: z.enum(["TCP", "UDP"]).default("TCP"),
});
const spec = z.object({
  text: z.string().min(1).max(5),
  pattern: z
    .string()
    .regex(/^a.*z$/i)
    .optional(),
  both: z.string().startsWith("a").endsWith("b").optional(),
  uuid: z.uuid().optional(),
  ip: z.ipv4().optional(),
  when: z.iso.date().optional(),
  phone: z.e164().optional(),
  whole: z.int().min(-3).max(3).default(1),
  small: z.int32().optional(),
  share: z.number().gt(0).lte(1).optional(),
  steps: z.number().multipleOf(5).optional(),
  flag: z.boolean().default(false),
  size: z.literal(["S", "M", "L"]).optional(),
  level: z.literal([1, 2]).optional(),
  maybe: z.string().nullable().optional(),
  either: z.union([z.int(), z.string()]).optional(),
  oneOf: z.union([z.string().max(2), z.string().regex(/^x/)]).optional(),
  ports: z
    .array(port)
    .min(1)
    .max(3)
    .optional()
    .meta({ "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] }),
  tags: z.array(z.string().max(4)).optional().meta({ "x-kubernetes-list-type": "set" }),
  labels: z.record(z.string(), z.string().max(3)).optional(),
  zones: z.partialRecord(z.enum(["east", "west"]), z.int()).optional(),
  raw: z.unknown().optional(),
  loose: z.looseObject({ known: z.boolean().optional() }).optional(),
  source: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.literal("git"), url: z.string() }),
      z.strictObject({ type: z.literal("oci"), image: z.string(), tag: z.string().default("latest").optional() }),
    ])
    .optional(),
  merged: z.intersection(z.object({ left: z.string() }), z.object({ right: z.string().optional() })).optional(),
  nested: z.object({ deep: z.object({ value: z.string().default("x") }).prefault({}) }).optional(),
  label: z.templateLiteral(["v", z.int()]).optional(),
  fixed: z.readonly(z.string()).optional(),
});
const Everything = defineResource({
  group: "zod.example.com",
  version: "v1",
  kind: "Everything",
  plural: "everythings",
  shortNames: ["ev"],
  categories: ["all"],
  spec,
  status: z.object({ replicas: z.int32().default(0) }),
  rules: [["self.spec.text != 'never'", "never is not allowed"]],
  columns: { Text: ".spec.text", Whole: ".spec.whole" },
  scale: { replicas: ".spec.small", readyReplicas: ".status.replicas" },
  selectableFields: [".spec.text"],
  description: "Everything that can be said.",
});

const texts = [
  "",
  "a",
  "ab",
  "abc",
  "a-z",
  "Az",
  "xyz",
  "toolong",
  "git",
  "oci",
  "S",
  "XL",
  "TCP",
  "v1",
  "v",
  "127.0.0.1",
  "300.1.1.1",
  "2026-02-28",
  "2026-02-30",
  "+4915112345678",
  "5b6d1f3e-4f0a-4c1e-9d7a-2f0c5b1e7a11",
];
const values = (random: Random): readonly unknown[] => [
  ...texts,
  0,
  1,
  2,
  -4,
  3,
  0.5,
  1.5,
  10,
  7,
  65_536,
  true,
  false,
  null,
  {},
  [],
  ["a", "a"],
  ["b", "c"],
  { a: "b" },
  { a: "long text" },
  [{ name: "web", number: 80 }],
  [
    { name: "web", number: 80 },
    { name: "web", number: 81 },
  ],
  [{ name: "Web", number: 0 }],
  [{ name: "dns", number: 53, protocol: "UDP" }],
  { east: 1 },
  { north: 1 },
  { east: "x" },
  { known: true, more: 1 },
  { known: "x" },
  { type: "git", url: "u" },
  { type: "git" },
  { type: "oci", image: "i" },
  { type: "git", url: "u", image: "i" },
  { type: "svn" },
  { left: "l" },
  { left: "l", right: 1 },
  { deep: {} },
  { deep: { value: 1 } },
  random.int(10),
];

function randomSpec(random: Random): Record<string, unknown> {
  const choices = values(random);
  const pick = (): unknown => structuredClone(choices[random.int(choices.length)]);
  const object: Record<string, unknown> =
    random.int(10) === 0 ? {} : { text: ["a", "abc", "", "toolong", 5][random.int(random.int(3) === 0 ? 5 : 2)] };
  for (const name of Object.keys(spec.shape)) if (name !== "text" && random.int(40) === 0) object[name] = pick();
  return object;
}

describeOnServers("a defined resource", ({ missing, start }) => {
  const runtime = nodeRuntime({ write: () => undefined });
  const log = recordingLog(runtime.clock);
  let server: SuiteServer | undefined;
  let transport: NodeTransport;
  let client: Client;

  beforeAll(async () => {
    if (missing !== undefined) return;
    server = await start();
    transport = server.transport({ clock: runtime.clock, log });
    client = createClient({ transport, clock: runtime.clock, log, namespace: "default" });
  }, 90_000);
  afterAll(async () => {
    if (server === undefined) return;
    await client.delete(CustomResourceDefinition, "everythings.zod.example.com").catch(() => undefined);
    transport.close();
    await server.stop();
  });

  it("is accepted with every construct, and installed a second time without a write", { timeout: 90_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const first = await installResource(client, Everything);
    const second = await installResource(client, Everything);
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    expect(first.status?.conditions?.find(({ type }) => type === "NonStructuralSchema")).toBeUndefined();
  });

  it("validates 150 random objects, 400 in long mode, as zod does, and returns them as parsed", { timeout: 90_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const random = createRandom(1);
    const count = process.env["DROVER_LONG"] === "1" ? 400 : 150;
    let taken = 0;
    for (let index = 0; index < count; index++) {
      const object = { apiVersion: "zod.example.com/v1", kind: "Everything", metadata: { name: `e-${index}` }, spec: randomSpec(random) };
      const parsed = parse(object);
      const stored = await client
        .dynamic(Everything)
        .create(object, { dryRun: "All" })
        .catch((error: unknown) => {
          if (isInvalid(error)) return undefined;
          throw error;
        });
      expect([JSON.stringify(object.spec), stored !== undefined]).toEqual([JSON.stringify(object.spec), parsed !== undefined]);
      if (stored === undefined) continue;
      taken++;
      expect((stored as unknown as { spec: unknown }).spec).toEqual((parsed as unknown as { spec: unknown }).spec);
    }
    expect(taken).toBeGreaterThan(count / 4);
    expect(taken).toBeLessThan((count * 7) / 8);
  });

  it("reports what an incompatible change would break, before anything is written", { timeout: 90_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    const Narrow = defineResource({
      group: "zod.example.com",
      version: "v1",
      kind: "Everything",
      plural: "everythings",
      spec: z.object({ text: z.int() }),
    });
    const before = await client.get(CustomResourceDefinition, "everythings.zod.example.com");
    await expect(installResource(client, Narrow)).rejects.toThrow(IncompatibleResourceError);
    await expect(installResource(client, Narrow)).rejects.toThrow("v1, spec.text: was string, now integer");
    expect((await client.get(CustomResourceDefinition, "everythings.zod.example.com")).metadata.resourceVersion).toBe(
      before.metadata.resourceVersion,
    );
  });

  it("is deleted with its definition", { timeout: 90_000 }, async (ctx) => {
    if (missing !== undefined) ctx.skip(missing);
    await client.delete(CustomResourceDefinition, "everythings.zod.example.com");
    await expect(client.get(CustomResourceDefinition, "nothing.zod.example.com")).rejects.toSatisfy(isNotFound);
  });
});

function parse(object: unknown): KubeObject | undefined {
  try {
    return Everything.parse(object);
  } catch (error) {
    if (error instanceof InvalidObjectError) return undefined;
    throw error;
  }
}
