/** Resources defined with zod; the files beside this one are what `drover kinds` generates from their definitions. */
import { defineResource } from "../../../index.ts";
import { z } from "zod";

const port = z.object({ name: z.string().max(8), number: z.int32().min(1), protocol: z.enum(["TCP", "UDP"]).default("TCP") });

/** Everything that both zod and a definition can express. */
export const Everything = defineResource({
  group: "zod.example.com",
  version: "v1",
  kind: "Everything",
  plural: "everythings",
  scope: "Cluster",
  scale: { replicas: ".spec.small", readyReplicas: ".status.replicas" },
  description: "Everything that can be said.",
  status: z.object({ replicas: z.int32().default(0) }),
  spec: z.object({
    text: z.string().min(1),
    pattern: z
      .string()
      .regex(/^a.*z$/)
      .optional(),
    uuid: z.uuid().optional(),
    when: z.iso.datetime().optional(),
    whole: z.int().default(1),
    small: z.int32().optional(),
    share: z.number().optional(),
    flag: z.boolean().default(false),
    level: z.literal([1, 2]).optional(),
    size: z.enum(["S", "M"]).optional(),
    maybe: z.string().nullable(),
    either: z.union([z.int(), z.string()]).optional(),
    ports: z.array(port).max(3).optional(),
    tags: z.array(z.string()),
    labels: z.record(z.string(), z.string()).optional(),
    parts: z.record(z.string(), z.object({ weight: z.number(), notes: z.array(z.string().nullable()).optional() })).optional(),
    raw: z.unknown().optional(),
    loose: z.looseObject({ known: z.boolean().optional() }).optional(),
    nested: z.object({ deep: z.object({ value: z.string().default("x") }).prefault({}) }).optional(),
    "x-dashed": z.string().optional(),
  }),
});

/** What zod expresses more exactly than a structural schema and its type. */
export const Choice = defineResource({
  group: "zod.example.com",
  version: "v1",
  kind: "Choice",
  spec: z.object({
    source: z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("git"), url: z.string() }),
      z.strictObject({ type: z.literal("oci"), image: z.string() }),
    ]),
    label: z.templateLiteral(["v", z.int()]).optional(),
    zones: z.partialRecord(z.enum(["east", "west"]), z.int()).optional(),
  }),
});
